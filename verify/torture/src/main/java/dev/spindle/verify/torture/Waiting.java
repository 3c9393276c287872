// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import dev.spindle.verify.torture.Program.Pool;

/**
 * Counts the accepted tasks that have not begun, for each bound. A task leaves the count of a bound shortly before its
 * start is recorded, so each worker may add one task to the bound.
 */
final class Waiting {
    private final Pool pool;
    private final Violations violations;
    private final int[] inLane;
    private final int[] inView;
    private int inPool;

    Waiting(Pool pool, Violations violations) {
        this.pool = pool;
        this.violations = violations;
        inLane = new int[pool.lanes()];
        inView = new int[pool.views().size()];
    }

    /** Adds an accepted task that has not begun. Coalescing tasks are not counted. */
    void add(Step step, int time) {
        if (step.op().isCoalescing()) {
            return;
        }
        if (pool.holds(step)) {
            require(++inPool, pool.capacity(), "the pool", time);
        }
        switch (step.op().where()) {
            case POOL -> {}
            case LANE -> require(++inLane[step.at()], pool.capacityPerKey(), "lane " + step.at(), time);
            case VIEW ->
                require(++inView[step.at()], pool.views().get(step.at()).capacity(), "executor " + step.at(), time);
        }
    }

    /** Removes a task that begins. */
    void remove(Step step) {
        if (step.op().isCoalescing()) {
            return;
        }
        inPool -= pool.holds(step) ? 1 : 0;
        switch (step.op().where()) {
            case POOL -> {}
            case LANE -> inLane[step.at()]--;
            case VIEW -> inView[step.at()]--;
        }
    }

    private void require(int waiting, int capacity, String where, int time) {
        if (capacity > 0 && waiting > capacity + pool.max()) {
            violations.add(
                    Promise.F4,
                    waiting + " tasks waited in " + where + " at " + time + ", at most " + capacity
                            + " may, and one more on the way to each of " + pool.max() + " workers");
        }
    }
}
