// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.PoolConfig;

/**
 * How many threads are kept without work. It grows by one, up to the maximum, after so many episodes in which more
 * workers were in service. Says nothing of how many are awake: that is the {@link AwakeLimit}. All methods but the
 * accessors are called under the worker set's lock.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // all updates are made under the worker set's lock
final class CoreSize {
    private final int max;
    private final int bumpAfter;
    private volatile int size;
    private volatile long episodes;
    private boolean exceeded;

    CoreSize(PoolConfig config) {
        max = config.max();
        bumpAfter = config.coreBumpAfter();
        size = config.core();
    }

    /** Returns how many threads are kept. */
    int size() {
        return size;
    }

    /** Returns how often the core was exceeded. */
    long episodes() {
        return episodes;
    }

    /**
     * Notes that so many workers are in service. An episode begins when these are more than the core. If the core grows
     * with it, no thread beyond the core may be left to end, so the episode is over; unless each makes the core grow,
     * for then one burst would be many.
     */
    void inService(int workers) {
        if (workers <= size || exceeded) {
            return;
        }
        exceeded = true;
        episodes++;
        if (bumpAfter > 0 && episodes % bumpAfter == 0 && size < max) {
            size++;
            exceeded = bumpAfter == 1;
        }
    }

    /** Notes how many threads are left, after one has ended. The episode ends when none beyond the core is. */
    void threadsLeft(int threads) {
        exceeded &= threads > size;
    }
}
