// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.PoolConfig;

/**
 * The number of threads that are kept without work. It grows by one, up to the maximum, after a configured number of
 * episodes in which more workers were in service. The number of awake workers is limited by {@link AwakeLimit} instead.
 * All methods except the accessors are called under the worker set's lock.
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

    /** Returns the number of threads that are kept. */
    int size() {
        return size;
    }

    /** Returns the number of episodes in which the core was exceeded. */
    long episodes() {
        return episodes;
    }

    /**
     * Records the number of workers in service. An episode starts when this number exceeds the core. If the core grows
     * with the episode, the episode ends at once, since there may be no thread in excess of the new core whose end
     * would end the episode. If each episode grows the core, the episode continues, since otherwise one burst would
     * count as many episodes.
     */
    void inService(int workers) {
        if (workers <= size || exceeded) {
            return;
        }
        exceeded = true;
        episodes++;
        if (bumpAfter > 0 && episodes % bumpAfter == 0 && size < max) { // T4
            size++;
            exceeded = bumpAfter == 1;
        }
    }

    /** Records the number of threads after a thread has ended. The episode ends when the core is no longer exceeded. */
    void threadsLeft(int threads) {
        exceeded &= threads > size;
    }
}
