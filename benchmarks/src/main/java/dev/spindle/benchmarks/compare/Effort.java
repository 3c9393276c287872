// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.time.Duration;

/**
 * The time that a fork spends on its passes.
 *
 * @param warmUp the minimum time of warm-up passes, which do not count; up to five times as long while the compilers
 *     are busy
 * @param timed the total time of the timed passes
 * @param pass the approximate time of one pass
 * @param passes the maximum number of timed passes
 */
public record Effort(Duration warmUp, Duration timed, Duration pass, int passes) {
    /** Returns the effort of a cell with one long pass. */
    public static Effort once(Duration warmUp, Duration pass) {
        return new Effort(warmUp, Duration.ZERO, pass, 1);
    }

    /** Returns the effort of a cell with many short passes. */
    public static Effort millis(long warmUp, long timed, long pass) {
        return new Effort(Duration.ofMillis(warmUp), Duration.ofMillis(timed), Duration.ofMillis(pass), 1_000);
    }

    /** Returns this effort with at most the given number of passes. */
    public Effort atMost(int most) {
        return new Effort(warmUp, timed, pass, most);
    }

    /** Returns the approximate time that a fork takes, without the start of its JVM. */
    Duration expected() {
        return warmUp.plus(timed.compareTo(pass) > 0 ? timed : pass);
    }
}
