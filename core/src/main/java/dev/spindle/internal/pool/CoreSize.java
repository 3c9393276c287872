// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.pool.size.AwakeLimit;

/**
 * The core: the number of threads that are kept without work. An episode starts when the number of workers in service
 * exceeds the core, and ends when the number of threads no longer exceeds the core. After a configured number of
 * episodes the core grows by one, up to the maximum. The core does not limit the number of awake workers;
 * {@link AwakeLimit} does. Any thread may call {@link #size} and {@link #episodes}. The other methods are called under
 * the worker set's lock.
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

    /** Returns the number of episodes that have started. */
    long episodes() {
        return episodes;
    }

    /**
     * Records the number of workers in service. If this number starts an episode and the core grows, the episode ends
     * at once, since there may be no thread beyond the new core whose end would end the episode. If the configured
     * number is 1, the episode continues, so that one burst is not counted as many episodes.
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

    /** Records the number of threads after a thread has ended. */
    void threadsLeft(int threads) {
        exceeded &= threads > size;
    }
}
