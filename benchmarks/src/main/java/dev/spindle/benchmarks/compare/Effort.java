// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.time.Duration;

/**
 * The time that a fork spends on warm-up and timed passes.
 *
 * @param warmUp the minimum time of the warm-up passes, which is extended up to fivefold while the compilers are busy
 * @param timed the total time of the timed passes
 * @param pass the approximate time of one pass
 * @param passes the maximum number of timed passes
 */
public record Effort(Duration warmUp, Duration timed, Duration pass, int passes) {
    /** Returns the effort of a fork with one long pass. */
    public static Effort once(Duration warmUp, Duration pass) {
        return new Effort(warmUp, Duration.ZERO, pass, 1);
    }

    /** Returns the effort of a fork with many short passes; the times are in milliseconds. */
    public static Effort millis(long warmUp, long timed, long pass) {
        return new Effort(Duration.ofMillis(warmUp), Duration.ofMillis(timed), Duration.ofMillis(pass), 1_000);
    }

    public Effort atMost(int most) {
        return new Effort(warmUp, timed, pass, most);
    }

    /** Returns the approximate time of a fork, without the start of its JVM. */
    Duration expected() {
        return warmUp.plus(timed.compareTo(pass) > 0 ? timed : pass);
    }
}
