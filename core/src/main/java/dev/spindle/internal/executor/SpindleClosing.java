// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.Activity;
import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.InternalTask;
import dev.spindle.internal.Pool;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.limit.CountedPermits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The shutdown and the close of a spindle. A shutdown uses no lambda, whose linkage takes longer than many a close. */
public final class SpindleClosing extends CloseSteps {
    private final Lanes lanes;
    private final ExecutorKernel kernel;
    private final Pool pool;
    private final AtomicBoolean lowered;

    /** Creates the steps; {@code lowered} is true after the first shutdown of the spindle. */
    public SpindleClosing(Lanes lanes, AtomicBoolean lowered) {
        super(lanes.kernel(), "spindle " + lanes.pool().name());
        this.lanes = lanes;
        kernel = lanes.kernel();
        pool = lanes.pool();
        this.lowered = lowered;
    }

    /** Stops accepting tasks, ends pauses and periodic tasks, and runs all accepted tasks. */
    public void shutdown() {
        Headroom.require();
        begin();
        pool.lifetime().shut(false); // Lifetime-2
        pool.lifetime().tell();
        end(null);
    }

    /** Returns the refusal of a caller for which the close of {@code spindle} would wait, or null. */
    public @Nullable String refusal(Object spindle) {
        WorkerContext worker = WorkerContext.current();
        boolean own = (worker != null && worker.scheduler() == pool)
                || kernel.executors().haveCaller(spindle);
        for (LaneCore lane : kernel.table().lanes()) {
            own |= Lanes.isEndedByCaller(lane);
        }
        return refusal("spindle " + pool.name(), own);
    }

    @Override
    protected CompletableFuture<?> drain() {
        shutdown();
        return kernel.terminated().forLibrary();
    }

    @Override
    public void halt(Removed to) {
        Headroom.require();
        begin();
        pool.halt();
        takeAll(to); // before end(), which resumes paused lanes
        end(to);
        takeAll(to); // concurrent submits may have added tasks
        pool.interruptAll();
        lanes.haltOpen(); // last, since this call runs dependents of futures, which may be user code
        pool.tryTerminate();
    }

    @Override
    protected List<Activity> running() {
        return kernel.terminated().isDone() ? List.of() : lanes.running();
    }

    /** Stops accepting tasks, shuts down the logical executors, and refuses all submitters that wait at a bound. */
    private void begin() {
        lanes.shut();
        kernel.executors().shutdown();
        kernel.refuseShut();
        for (LaneCore lane : kernel.table().lanes()) {
            CountedPermits places = lane.places();
            if (places != null) {
                places.refuse();
            }
        }
    }

    private void takeAll(Removed to) {
        for (Object entry : pool.removeAll(SpindleClosing::isPlainOfUser)) {
            kernel.statistics().withdrawn(1);
            to.accept(null, CancellableEntry.withdraw((Runnable) entry));
        }
        for (LaneCore lane : kernel.table().lanes()) {
            to.addAll(lane, lane.cancelPending());
        }
        kernel.executors().takeAll(to);
    }

    private static boolean isPlainOfUser(Object entry) {
        return ReadyEntry.of(entry) == null && !(entry instanceof InternalTask);
    }

    /**
     * Makes lanes and workers end after the accepted tasks. Cancels all delayed tasks and adds them to {@code removed},
     * or cancels only the periodic tasks if {@code removed} is null.
     */
    private void end(@Nullable Removed removed) {
        kernel.timers().end(null, removed != null, removed);
        if (lowered.compareAndSet(false, true) || removed != null) {
            kernel.table().closeAll();
        }
        pool.stop();
    }
}
