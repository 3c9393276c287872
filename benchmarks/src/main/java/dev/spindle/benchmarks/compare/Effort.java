// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.time.Duration;

/**
 * The time that a fork works.
 *
 * @param warmUp the least time of passes that do not count; five times as long while the JVM's compilers are busy
 * @param timed the time of timed passes together
 * @param pass about the time of one pass
 * @param passes the most timed passes
 */
public record Effort(Duration warmUp, Duration timed, Duration pass, int passes) {
    /** Returns that of cells with one long pass. */
    public static Effort once(Duration warmUp, Duration pass) {
        return new Effort(warmUp, Duration.ZERO, pass, 1);
    }

    /** Returns that of cells with many short passes. */
    public static Effort millis(long warmUp, long timed, long pass) {
        return new Effort(Duration.ofMillis(warmUp), Duration.ofMillis(timed), Duration.ofMillis(pass), 1_000);
    }

    /** Returns the same with fewer passes. */
    public Effort atMost(int most) {
        return new Effort(warmUp, timed, pass, most);
    }

    /** Returns about how long a fork takes besides the start of its JVM. */
    Duration expected() {
        return warmUp.plus(timed.compareTo(pass) > 0 ? timed : pass);
    }
}
