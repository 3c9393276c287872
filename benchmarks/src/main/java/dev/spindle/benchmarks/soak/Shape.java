// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.soak;

import dev.spindle.OnFull;
import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * What the pool and the producers of a round look like, all from its seed. Times are in milliseconds; a capacity of 0 is
 * none.
 */
record Shape(
        long seed,
        int core,
        int max,
        int keepAlive,
        int linger,
        int capacity,
        int capacityPerKey,
        Policy onFull,
        int keys,
        int strands,
        Logical first,
        Logical second,
        int producers,
        End end) {

    /** What happens at a bound. */
    enum Policy {
        REJECT,
        BLOCK,
        DROP_OLDEST,
        CALLER_RUNS;

        OnFull onFull() {
            return switch (this) {
                case REJECT -> OnFull.reject();
                case BLOCK -> OnFull.block(Duration.ofMillis(2));
                case DROP_OLDEST -> OnFull.dropOldest();
                case CALLER_RUNS -> OnFull.callerRuns();
            };
        }

        static Policy of(SplittableRandom random, int kinds) {
            return values()[random.nextInt(kinds)];
        }
    }

    /** How a round ends, while its producers still submit. */
    enum End {
        CLOSE,
        SHUTDOWN,
        SHUTDOWN_NOW,
        SHUTDOWN_THEN_NOW
    }

    /** A logical executor. */
    record Logical(int maxConcurrency, int capacity, Policy onFull) {
        static Logical of(SplittableRandom random, int max) {
            return new Logical(
                    random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(max),
                    random.nextBoolean() ? 0 : 10 + random.nextInt(500),
                    Policy.of(random, 4));
        }

        boolean drops() {
            return capacity > 0 && onFull == Policy.DROP_OLDEST;
        }

        boolean callersRun() {
            return capacity > 0 && onFull == Policy.CALLER_RUNS;
        }
    }

    static Shape of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int core = 1 + random.nextInt(4);
        int max = core + random.nextInt(33 - core);
        return new Shape(
                seed,
                core,
                max,
                1 + random.nextInt(200),
                1 + random.nextInt(1_000),
                random.nextBoolean() ? 0 : 50 + random.nextInt(2_000),
                random.nextBoolean() ? 0 : 5 + random.nextInt(200),
                Policy.of(random, 3),
                1 << random.nextInt(8),
                1 + random.nextInt(3),
                Logical.of(random, max),
                Logical.of(random, max),
                2 + random.nextInt(3),
                End.values()[random.nextInt(End.values().length)]);
    }

    /** Whether a bound may drop tasks. */
    boolean drops() {
        boolean bounded = capacity > 0 || capacityPerKey > 0;
        return (bounded && onFull == Policy.DROP_OLDEST) || first.drops() || second.drops();
    }

    String text() {
        return String.format(
                Locale.ROOT,
                "seed %d: core %d, max %d, %d keys, %d producers, capacity %d, %d per key%s, end by %s",
                seed,
                core,
                max,
                keys,
                producers,
                capacity,
                capacityPerKey,
                capacity + capacityPerKey > 0 ? " (" + onFull + ")" : "",
                end);
    }
}
