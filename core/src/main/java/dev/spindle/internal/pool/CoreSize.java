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
 *
 * <p>A user may change the core and the maximum. The core that the user has set is never above the maximum. A core that
 * has grown falls to a lower maximum. A core that was not set is the number of processors, but at most the maximum.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // all updates are made under the worker set's lock
final class CoreSize {
    private final int bumpAfter;
    private int max;
    private int chosen; // the core that the user has set, or 0
    private volatile int size;
    private volatile long episodes;
    private boolean exceeded;

    CoreSize(PoolConfig config) {
        max = config.max();
        chosen = config.coreIsDefault() ? 0 : config.core();
        bumpAfter = config.coreBumpAfter();
        size = config.core();
    }

    /** Returns the number of threads that are kept. */
    int size() {
        return size;
    }

    /** Returns whether the user has not set the number of core threads. */
    boolean isDefault() {
        return chosen == 0;
    }

    /**
     * Sets the number of threads that are kept, while there are {@code threads}. Throws an exception if the number is
     * above the maximum.
     */
    void set(int core, int threads) {
        PoolConfig.requireCoreWithin(max, core);
        chosen = core;
        size = core;
        threadsLeft(threads);
    }

    /**
     * Sets the maximum, while there are {@code threads}. Throws an exception if the core that the user has set is above
     * the maximum.
     */
    void setMax(int most, int processors, int threads) {
        PoolConfig.requireCoreWithin(most, chosen);
        max = most;
        size = Math.min(most, isDefault() ? Math.max(size, processors) : size);
        threadsLeft(threads);
    }

    /** Returns the number of episodes that have started. */
    long episodes() {
        return episodes;
    }

    /**
     * Records the number of workers in service. If this number starts an episode and the core grows, the episode ends
     * at once, since there may be no thread beyond the new core whose end would end the episode. If the configured
     * number is 1, the episode continues, so that one burst is not counted as many episodes. Returns true if the core
     * has grown.
     */
    boolean inService(int workers) {
        if (workers <= size || exceeded) {
            return false;
        }
        exceeded = true;
        episodes++;
        if (bumpAfter > 0 && episodes % bumpAfter == 0 && size < max) { // T4
            size++;
            exceeded = bumpAfter == 1;
            return true;
        }
        return false;
    }

    /** Records the number of threads after a thread has ended. */
    void threadsLeft(int threads) {
        exceeded &= threads > size;
    }
}
