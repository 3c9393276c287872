// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.time.Duration;

/**
 * How long a fork works.
 *
 * @param warmUp passes that count for nothing are run for this long, at least one, and up to five times as long while
 *     the JVM's compilers are busy
 * @param timed passes are timed until they took this long together
 * @param pass about how long one takes
 * @param passes but never more timed ones than these
 */
public record Effort(Duration warmUp, Duration timed, Duration pass, int passes) {
    /** For cells with one long pass. */
    public static Effort once(Duration warmUp, Duration pass) {
        return new Effort(warmUp, Duration.ZERO, pass, 1);
    }

    /** For cells of many short passes. */
    public static Effort millis(long warmUp, long timed, long pass) {
        return new Effort(Duration.ofMillis(warmUp), Duration.ofMillis(timed), Duration.ofMillis(pass), 1_000);
    }

    /** About how long a fork takes beside starting the JVM. */
    Duration expected() {
        Duration measuring = timed.compareTo(pass) > 0 ? timed : pass;
        return warmUp.plus(measuring);
    }
}
