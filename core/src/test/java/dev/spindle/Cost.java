// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An operation of the public API whose cost docs/costs.md states. Ten times as many operations, among ten times as many
 * keys, timers or tasks, may take at most fifteen times as long. If the cost of an operation grew in proportion to
 * these, they would take a hundred times as long.
 *
 * @param load performs and measures the operation
 */
public record Cost(String name, Load load) {
    private static final int SMALL = 10_000;
    private static final int MOST_ROUNDS = 12;

    /** A shorter load cannot be distinguished from one that stays in the processor's caches. */
    private static final long LEAST_NANOS = 10_000_000;

    /** Performs an operation {@code n} times and returns the nanoseconds that {@link CpuTime} measured. */
    public interface Load {
        long run(int n) throws Exception;
    }

    /** Fails if ten times the load takes more than fifteen times as long. */
    public void check() throws Exception {
        long small = Long.MAX_VALUE;
        long large = Long.MAX_VALUE;
        // The fastest of several rounds ran compiled code. A cost of a higher order shows in all rounds.
        for (int round = 0; round < MOST_ROUNDS && (round == 0 || large > 15 * small); round++) {
            small = Math.min(small, Math.max(LEAST_NANOS, load.run(SMALL)));
            large = Math.min(large, load.run(10 * SMALL));
        }
        assertThat((double) large / small)
                .as("%s: %d in %,d ns, %d in %,d ns", this, SMALL, small, 10 * SMALL, large)
                .isLessThanOrEqualTo(15);
    }

    @Override
    public String toString() {
        return name;
    }
}
