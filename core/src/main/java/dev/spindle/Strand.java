// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Durations;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import dev.spindle.internal.lane.LaneBarrier;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.limit.CountedPermits;
import dev.spindle.internal.timer.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lane with a handle instead of a key: a serial executor, which runs one task at a time in the order of the submits.
 * It stands where a program has an {@code Executors.newSingleThreadExecutor()} or {@code
 * newSingleThreadScheduledExecutor()}.
 *
 * <pre>{@code
 * ScheduledExecutorService orders = spindle.strand("orders"); // on the threads of a spindle
 * Strand log = Strand.builder("log").build();                 // with a thread of its own
 * StrandGroup raft = Strand.builder("raft").group(8);         // eight of them
 * }</pre>
 *
 * <p><b>On a spindle</b> it has no thread, and a shutdown of its own that leaves the {@link Spindle} and all other
 * lanes alone. An idle strand holds no thread and no entry anywhere; one that is no longer used needs no shutdown.
 *
 * <p><b>With a thread of its own</b>, which starts with the first task, it is to be shut down like any executor of the
 * JDK's.
 *
 * <p>Thread-safe. Order, memory consistency effects and rejection are those of {@link Lane}.
 */
public final class Strand extends TaskService implements Lane, AutoCloseable {
    private final Spindle spindle;
    private final String name;
    private final LaneHandle lane;
    private final boolean alone;
    private final @Nullable Bounds bounds;
    private final @Nullable CountedPermits places;
    private final Life lifetime;
    private final Timers.Group ownTimers = new Timers.Group();
    private final ShutdownHooks lastTasks = new ShutdownHooks(this);
    private final CompletableFuture<@Nullable Void> terminated = new CompletableFuture<>();
    private volatile @Nullable GracefulShutdown graceful;

    /**
     * Creates a strand.
     *
     * @param alone whether the spindle is there for this strand only, and ends with it
     * @param capacity how many tasks may wait, or 0 for what the spindle says
     */
    Strand(Spindle spindle, String name, boolean alone, int capacity, OnFull onFull) {
        this.spindle = spindle;
        this.name = name;
        this.alone = alone;
        bounds = capacity == 0 ? null : spindle.strandBounds(capacity, onFull);
        places = CountedPermits.of(capacity);
        lifetime = new Life(spindle.pool().lifetime());
        lane = new LaneHandle(this);
    }

    /**
     * Returns a builder for a strand, or a {@linkplain StrandBuilder#group group} of strands, with a thread of its own
     * or on a spindle. The name is for threads and messages.
     */
    public static StrandBuilder builder(String name) {
        return new StrandBuilder(name);
    }

    @Override
    public Object key() {
        return name;
    }

    @Nullable
    Bounds bounds() {
        return bounds;
    }

    @Nullable
    CountedPermits places() {
        return places;
    }

    @Override
    Pool pool() {
        return spindle.pool();
    }

    @Override
    Lifetime lifetime() {
        return lifetime;
    }

    Spindle spindle() {
        return spindle;
    }

    /** Returns the key of its lane. */
    Object laneKey() {
        return lane;
    }

    /** Returns what waits for the times of its delayed tasks. */
    Timers.Group ownTimers() {
        return ownTimers;
    }

    /** Returns whether it has a thread of its own. */
    boolean isAlone() {
        return alone;
    }

    /** Does a submit; a graceful shutdown waits for what follows from it. */
    private <R> R noted(Supplier<R> submit) {
        GracefulShutdown end = graceful;
        return end == null ? submit.get() : end.submit(submit);
    }

    // ---------------------------------------------------------------- submit

    @Override
    public void execute(Runnable task) {
        if (graceful == null) {
            lane.execute(task);
            return;
        }
        Object unused = noted(() -> {
            lane.execute(task);
            return lane;
        });
    }

    @Override
    <T extends @Nullable Object> TaskFuture<T> future(Object task, @Nullable T result) {
        return new TaskFuture<>(spindle.pool(), lane, task, result);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submitAsync(Supplier<? extends CompletionStage<T>> task) {
        return noted(() -> lane.submitAsync(task));
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submitAsync(
            Supplier<? extends CompletionStage<T>> task, Duration limit) {
        return noted(() -> lane.submitAsync(task, limit));
    }

    @Override
    public Coalesced coalesce(Runnable task) {
        return noted(() -> lane.coalesce(task));
    }

    @Override
    public Coalesced coalesce(Object slot, Runnable task) {
        return noted(() -> lane.coalesce(slot, task));
    }

    // ---------------------------------------------------------------- schedule

    @Override
    public ScheduledFuture<?> schedule(Runnable task, Duration delay) {
        return noted(() -> lane.schedule(task, delay));
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration initialDelay, Duration period) {
        return noted(() -> lane.scheduleAtFixedRate(task, initialDelay, period));
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration initialDelay, Duration delay) {
        return noted(() -> lane.scheduleWithFixedDelay(task, initialDelay, delay));
    }

    @Override
    <T> DelayedTask<T> delay(Object task, long delayNanos, long periodNanos) {
        return noted(() -> spindle.delay(lane, task, null, delayNanos, periodNanos));
    }

    // ---------------------------------------------------------------- control

    @Override
    public void pause() {
        lane.pause();
    }

    @Override
    public void resume() {
        lane.resume();
    }

    @Override
    public List<Runnable> cancelPending() {
        return lane.cancelPending();
    }

    @Override
    public CompletableFuture<@Nullable Void> quiesce() {
        return lane.quiesce();
    }

    @Override
    public LaneSnapshot snapshot() {
        return lane.snapshot();
    }

    /** Returns whether the calling thread runs a task of this strand now. */
    public boolean isCurrent() {
        LaneCore core = LaneCore.current();
        return core != null && core.key() == lane;
    }

    /** Returns about how many tasks wait; may take time in proportion to that. */
    public int estimatedPending() {
        LaneCore core = lane.existing();
        return core == null ? 0 : core.estimatedDepth();
    }

    // ---------------------------------------------------------------- shutdown

    /**
     * Adds a task that this strand runs as the very last one after a shutdown, its own or that of its spindle, when
     * everything accepted has ended: to close what the tasks have used. Such tasks run once, in the order in which they
     * were added, however the shutdown goes on; what they throw is reported. A {@link #shutdownNow} interrupts them
     * only if it is called while they run. If no thread can be had for them, they run in the one that ends the strand.
     * A spindle keeps a strand that has hooks until either is shut down. A hook begins with a clear interrupt flag and
     * with the context of the thread that added it, if there is a {@link ContextHook}.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the strand or its spindle was shut down before
     */
    public void addShutdownHook(Runnable hook) {
        lastTasks.add(hook);
    }

    /** Takes back what {@link #addShutdownHook} added; false when it is not there, or may be running. */
    public boolean removeShutdownHook(Runnable hook) {
        return lastTasks.remove(hook);
    }

    /**
     * Shuts down when everything accepted has ended, async tasks included, and nothing was submitted for the quiet time
     * since: so tasks that run, and who waits for them, can still hand in what follows. At the latest after the limit
     * what has not started is taken away, as {@link #shutdownNow} does. Delayed tasks that are not due, and periodic
     * ones, put nothing off, but a pause of tasks that wait does. Returns at once.
     *
     * <p>The limit acts within 20 ms of its time though every worker is blocked or computes, on a thread that runs no
     * tasks, which also completes the future then.
     *
     * @param quiet from zero, which shuts down at once
     * @param limit at least {@code quiet}; longer than 0
     * @return completes when the strand has terminated, with the tasks that were taken away. A second call returns the
     *     future of the first.
     * @throws IllegalArgumentException if a time is out of range
     */
    public CompletableFuture<List<Runnable>> shutdownGracefully(Duration quiet, Duration limit) {
        if (Objects.requireNonNull(quiet, "quiet").isNegative()) {
            throw new IllegalArgumentException("quiet must be 0 or more, is " + quiet);
        }
        if (Objects.requireNonNull(limit, "limit").isNegative() || limit.isZero() || limit.compareTo(quiet) < 0) {
            throw new IllegalArgumentException(
                    "limit must be positive and at least quiet, which is " + quiet + ", is " + limit);
        }
        GracefulShutdown fresh = new GracefulShutdown(this, Durations.toNanos(quiet), Durations.toNanos(limit));
        synchronized (lifetime) {
            GracefulShutdown before = graceful;
            if (before != null) {
                return before.end().copy();
            }
            graceful = fresh;
        }
        fresh.begin();
        return fresh.end().copy();
    }

    /** Accepts nothing more, ends pauses and periodic tasks, and runs everything accepted. Returns at once. */
    @Override
    public void shutdown() {
        Headroom.require();
        boolean held = lifetime.hold(); // until the parts have been told
        beginShutdown(false);
        endShutdown(false, new ArrayList<>());
        letTerminate(held);
    }

    /**
     * Accepts nothing more, takes away everything that has not started, cancels the futures, and interrupts the task
     * that runs, and no other.
     *
     * @return the tasks as they were handed in, in order, delayed ones last
     */
    @Override
    public List<Runnable> shutdownNow() {
        Headroom.require();
        boolean held = lifetime.hold(); // until the parts have been told
        beginShutdown(true);
        LaneCore core = lane.existing(); // not one that comes now, which runs the hooks
        List<Runnable> tasks = new ArrayList<>(lane.cancelPending());
        endShutdown(true, tasks);
        letTerminate(held);
        if (core != null) {
            core.interruptTurn();
            Lanes.haltOpen(core);
        }
        return tasks;
    }

    /** Accepts nothing more, and refuses all that wait at a bound. */
    private void beginShutdown(boolean now) {
        lifetime.shut(now);
        LaneCore core = lane.existing();
        CountedPermits taken = places != null || core == null ? places : core.places();
        if (taken != null) {
            taken.refuse();
        }
        spindle.refuseShut();
    }

    private void endShutdown(boolean all, List<Runnable> tasks) {
        lastTasks.close();
        lifetime.tell();
        if (alone) {
            spindle.pool().endSpinning();
        }
        spindle.timers().end(ownTimers, all, tasks);
        LaneCore core = lane.existing();
        if (core != null) {
            core.close();
        }
    }

    private void letTerminate(boolean held) {
        if (held) {
            lifetime.release();
        } else {
            tryTerminate();
        }
    }

    /** Called after a shutdown of the spindle, which has closed all lanes, if there are hooks. */
    void closeWithSpindle() {
        lifetime.shut(spindle.pool().isHalted());
        lastTasks.close();
        tryTerminate();
    }

    void laneDied() {
        tryTerminate();
    }

    private void tryTerminate() {
        long look = lifetime.look(); // before the lane (Lifetime-1)
        if (lifetime.isShutItself() && lane.existing() == null && lifetime.end(look) && lastTasks.haveEnded()) {
            if (alone) {
                spindle.shutdown();
            }
            terminated.complete(null);
            spindle.awaited().remove(this);
        }
    }

    /** Runs a task after the shutdown, in a lane that is there for it alone. */
    void runLast(LaneBarrier task) {
        try {
            spindle.lanes().pushDue(lane, task);
        } finally {
            LaneCore core = lane.existing();
            if (core != null) {
                core.close(); // there was no memory for the task
            }
        }
    }

    /** Returns whether a shutdown has begun. */
    @Override
    public boolean isShutdown() {
        return lifetime.isShutItself() || spindle.isShutdown();
    }

    /** Returns whether the strand has been shut down, and nothing of it runs or waits. */
    @Override
    public boolean isTerminated() {
        return (terminated.isDone() && !alone) || spindle.isTerminated();
    }

    /**
     * Waits until {@link #isTerminated}, for {@code timeout} at most.
     *
     * @return false if the time passed before
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return awaitEnd(spindle.pool(), ended(), timeout, unit);
    }

    /** Completes when this strand has terminated, whoever shut it down. */
    CompletableFuture<@Nullable Void> ended() {
        if (alone) {
            return spindle.terminated();
        }
        if (!terminated.isDone()) {
            spindle.awaited().add(this);
            if (terminated.isDone()) {
                spindle.awaited().remove(this);
            }
        }
        return terminated;
    }

    /** Called when the spindle has terminated, if {@link #ended} was asked for. */
    void spindleTerminated() {
        terminated.complete(null);
    }

    /**
     * Shuts down and waits until everything accepted has ended. An interrupt turns it into {@link #shutdownNow}, after
     * which it still waits, and stays set. A spindle that it shares goes on.
     *
     * @throws IllegalStateException if called by a task of this strand, which would wait for itself
     */
    @Override
    public void close() {
        ExecutorCloser.close(this, "strand " + name, isCurrent());
    }

    /** Returns a string with the name. */
    @Override
    public String toString() {
        return "strand " + name;
    }

    private final class Life extends Lifetime {
        Life(Lifetime of) {
            super(of);
        }

        @Override
        protected void released() {
            tryTerminate();
        }
    }
}
