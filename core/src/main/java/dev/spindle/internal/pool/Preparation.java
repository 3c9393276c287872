// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.Pool;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.jfr.JfrEvents;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The initialization that is deferred in order to delay neither the first task of a process nor the close after it: the
 * listener of Flight Recorder, the log, and the classes of a look. It takes 10 to 15 ms and cannot be interrupted, so a
 * pool performs it once per process, when a worker has had no work for a while, and never after a shutdown has begun.
 *
 * <p>A preparation is an entry of the queue, since an idle worker that prepared would delay the entry that wakes it,
 * and a searching one would suppress wake-ups (WorkerSet-4). The preparation holds the pool's lifetime while it is
 * ready, so that a worker takes it before the pool ends.
 */
final class Preparation extends ReadyEntry {
    /** Half the time without work after which a worker prepares the process. Not measured. */
    static final long REST_NANOS = 50_000_000;

    private final Pool pool;
    private final AtomicBoolean prepared;

    private Preparation(Pool pool, AtomicBoolean prepared) {
        this.pool = pool;
        this.prepared = prepared;
    }

    /**
     * Makes a preparation ready, unless {@code pool} has ended. The caller has set {@code prepared}, which is cleared
     * if another pool has to prepare the process.
     */
    static void makeReady(Pool pool, AtomicBoolean prepared) {
        if (pool.lifetime().hold()) {
            pool.ready(new Preparation(pool, prepared));
        } else {
            prepared.set(false);
        }
    }

    @Override
    public void turn(WorkerContext r) {
        try {
            if (pool.lifetime().isShutItself()) {
                prepared.set(false);
                return;
            }
            JfrEvents.listen();
            KernelState.prepare();
            pool.host().prepare();
        } finally {
            pool.lifetime().release();
        }
    }
}
