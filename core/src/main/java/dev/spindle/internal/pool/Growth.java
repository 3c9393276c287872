// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.PoolConfig;

/**
 * The limit on workers that are awake at a time: the core, and more while work is stuck. All methods but the
 * accessors are called under the worker set's lock.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // all updates are made under the workers's lock
final class Growth {
    private final int max;
    private final int bumpAfter;
    private volatile int core;
    private volatile int limit;
    private volatile long episodes;

    /** Starts at the core. */
    Growth(PoolConfig config) {
        max = config.max();
        bumpAfter = config.coreBumpAfter();
        core = config.core();
        limit = config.core();
    }

    /** Returns how many workers there are while no work is stuck. */
    int core() {
        return core;
    }

    /** Returns how many workers that do not block may be awake, from the core to the maximum. */
    int limit() {
        return limit;
    }

    /** Returns whether the limit cannot rise. */
    boolean isAtMost() {
        return limit >= max;
    }

    /** Returns how often the core was exceeded. */
    long episodes() {
        return episodes;
    }

    void raise() {
        limit = Math.min(max, limit + 1);
    }

    void lower() {
        limit = Math.max(core, limit - 1);
    }

    /** Counts an episode in which the core is exceeded; the core grows after some. */
    void beginEpisode() {
        episodes++;
        if (bumpAfter > 0 && episodes % bumpAfter == 0 && core < max) {
            core++;
            limit = Math.max(limit, core);
        }
    }
}
