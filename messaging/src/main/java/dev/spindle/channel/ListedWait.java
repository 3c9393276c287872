// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.Spindle;
import dev.spindle.internal.Pool;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.Scheduler;
import dev.spindle.internal.SpindleParts;
import dev.spindle.internal.WaitOrigin;
import dev.spindle.internal.WorkerContext;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A wait that {@link Spindle#waits} lists. Its fields are written before the wait is parked. */
abstract class ListedWait extends Wait {
    static final LongSupplier CLOCK = System::nanoTime;

    private final @Nullable String call;
    private @Nullable Scheduler scheduler; // of the worker that began the wait; null if another thread began it
    private @Nullable ReadyEntry turn;
    private long since;

    /** @param call the method that returned the future; null if a thread waits */
    ListedWait(@Nullable String call) {
        this.call = call;
    }

    @Override
    void begin() {
        WorkerContext worker = WorkerContext.current();
        if (worker == null) {
            beginOutside();
        } else {
            scheduler = worker.scheduler();
            turn = worker.turn();
            since = scheduler.nanoTime();
        }
    }

    /** Begins this wait in a thread that is not a worker. */
    final void beginOutside() {
        since = CLOCK.getAsLong();
    }

    /** Returns the time at which this wait began, a reading of {@link #CLOCK} if no worker began it. */
    final long since() {
        return since;
    }

    @Override
    @Nullable
    SpindleParts list() {
        return scheduler instanceof Pool pool ? pool.parts() : null;
    }

    @Override
    WaitOrigin origin() {
        return new WaitOrigin(null, turn, call);
    }

    @Override
    long since(long now) {
        return now - ((scheduler == null ? CLOCK.getAsLong() : scheduler.nanoTime()) - since);
    }
}
