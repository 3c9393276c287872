// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.stuck;

import dev.spindle.Activity;
import dev.spindle.WaitEdge;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.SpindlePart;
import dev.spindle.internal.TimeLimit;
import dev.spindle.internal.executor.ExecutorKernel;
import dev.spindle.internal.executor.FailureReport;
import dev.spindle.internal.executor.LaneOwner;
import dev.spindle.internal.executor.Lanes;
import dev.spindle.internal.executor.PartTimer;
import dev.spindle.internal.executor.WorkLimit;
import dev.spindle.internal.jfr.JfrEvents;
import dev.spindle.internal.lane.LaneCore;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The callbacks of the pool and of the table of lanes of a spindle: one class, since each class costs time at startup.
 */
public final class SpindleHost implements PoolConfig.Host, Runnable, Consumer<LaneCore> {
    private final long sweepNanos;
    private final long stuckNanos;
    private final @Nullable Consumer<? super Activity> onStuck;
    private final boolean keyInThreadName;
    private volatile @Nullable StuckWatch stuckWatch; // null before the first look

    @SuppressWarnings("NullAway.Init") // this and the next field are set in the constructor of the spindle
    private Lanes lanes;

    @SuppressWarnings("NullAway.Init")
    private ExecutorKernel kernel;

    /**
     * Creates a host, for which {@link #serve} must be called before a task is submitted.
     *
     * @param sweepNanos the time between two sweeps of idle lanes
     * @param stuckNanos the age at which work is stuck, or 0 if nothing looks for stuck work
     * @param onStuck the user's handler of reports of stuck work, or null
     * @param keyInThreadName true if the name of a worker's thread has the key of its task
     */
    public SpindleHost(
            long sweepNanos, long stuckNanos, @Nullable Consumer<? super Activity> onStuck, boolean keyInThreadName) {
        this.sweepNanos = sweepNanos;
        this.stuckNanos = stuckNanos;
        this.onStuck = onStuck;
        this.keyInThreadName = keyInThreadName;
    }

    /** Sets the lanes of the spindle, whose pool was created with this host. */
    public void serve(Lanes all) {
        lanes = all;
        kernel = all.kernel();
    }

    /** Schedules the next sweep of idle lanes, unless the executor has been shut down. */
    @Override
    public void run() {
        if (lanes.isOpen()) {
            ExecutorKernel.Sweep.schedule(kernel, sweepNanos);
        }
    }

    @Override
    public void accept(LaneCore died) {
        LaneOwner strand = lanes.strandOf(died);
        if (strand != null) {
            strand.listener().laneDied();
        }
        if (!lanes.isOpen() && kernel.table().isEmpty()) {
            kernel.pool().tryTerminate();
        }
    }

    @Override
    public void taskFailed(@Nullable Object party, Runnable task, Throwable failure) {
        kernel.failures().task(party, task, failure);
    }

    @Override
    public @Nullable WaitEdge waitOf(Object party) {
        return kernel.waitOf(party);
    }

    @Override
    public void prepare() {
        FailureReport.prepare();
    }

    @Override
    public @Nullable UnaryOperator<Runnable> taskDecorator() {
        return kernel.taskDecorator();
    }

    @Override
    public TimeLimit limit(long nanos, Runnable action, @Nullable Runnable atShutdown) {
        return PartTimer.set(lanes, nanos, action, atShutdown);
    }

    @Override
    public TimeLimit workLimit(long nanos, Runnable action) {
        return WorkLimit.set(lanes, nanos, action);
    }

    @Override
    public long stuckNanos() {
        return stuckNanos;
    }

    @Override
    public long lookForStuck(long now, boolean used, boolean atRest) {
        StuckWatch watch = stuckWatch;
        if (watch == null) {
            watch = new StuckWatch(kernel, stuckNanos, stuckLookNanos(), onStuck);
            stuckWatch = watch;
        }
        return watch.look(now, used, atRest);
    }

    @Override
    public List<Activity> running() {
        return lanes.running();
    }

    @Override
    public List<Activity> stuck() {
        StuckWatch watch = stuckWatch;
        return watch == null ? List.of() : watch.stuck();
    }

    @Override
    public long stalledNanos() {
        StuckWatch watch = stuckWatch;
        return watch == null ? 0 : watch.stalledNanos();
    }

    @Override
    public boolean isKeyInThreadName() {
        return keyInThreadName;
    }

    @Override
    public void overdraft(String cycle, int messages) {
        JfrEvents.overdraft(kernel.pool().name(), cycle, messages);
    }

    @Override
    public void threadFailed(Throwable failure) {
        kernel.failures().thread("could not start a worker thread; it continues with its other threads", failure);
    }

    @Override
    public void troubled(Throwable failure) {
        kernel.failures().thread("caught a throwable that is not of a task; its threads continue", failure);
    }

    @Override
    public PoolConfig.Closes closes() {
        return kernel;
    }

    @Override
    public void listFigures(SpindlePart.FigureList list) {
        kernel.listFigures(list, (space, counts) -> ((Lanes.Space) space).stats(counts));
    }

    @Override
    public boolean isAsyncOpen() {
        return kernel.table().lanes().stream().anyMatch(LaneCore::isAsyncOpen);
    }

    @Override
    public long readLanes(PoolConfig.LaneReader reader) {
        return kernel.table().read(kernel.pool().nanoTime(), reader);
    }

    @Override
    public boolean isQuiescent() {
        return kernel.table().isEmpty() && kernel.executors().isEmpty(); // D1
    }

    @Override
    public void terminated() {
        kernel.terminate();
    }
}
