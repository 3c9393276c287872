// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An operation of the public face whose cost docs/costs.md states. Ten times the operations, among ten times as many
 * of whatever there may be many, may take at most fifteen times as long; one whose cost grows in proportion to any of
 * these takes a hundred times as long.
 *
 * @param load does the operation, and measures
 */
public record Cost(String name, Load load) {
    private static final int SMALL = 10_000;
    private static final int MOST_ROUNDS = 12;

    /** What is shorter is not told from a small load that stays in the processor's caches. */
    private static final long LEAST_NANOS = 10_000_000;

    /** Does an operation {@code n} times; returns the nanoseconds that {@link CpuTime} counted. */
    public interface Load {
        long run(int n) throws Exception;
    }

    /** Fails if ten times the load takes more than fifteen times as long. */
    public void check() throws Exception {
        long small = Long.MAX_VALUE;
        long large = Long.MAX_VALUE;
        // The least of several rounds is the one that met warm code. A cost of a higher order shows in all.
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
