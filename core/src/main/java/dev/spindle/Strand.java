// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Durations;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import dev.spindle.internal.executor.Bounds;
import dev.spindle.internal.executor.DelayedTask;
import dev.spindle.internal.executor.DelayedTaskTarget;
import dev.spindle.internal.executor.ExecutorCloser;
import dev.spindle.internal.executor.GracefulShutdown;
import dev.spindle.internal.executor.LaneHandle;
import dev.spindle.internal.executor.LaneOwner;
import dev.spindle.internal.executor.Lanes;
import dev.spindle.internal.executor.ShutdownHooks;
import dev.spindle.internal.executor.TaskFuture;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.limit.CountedPermits;
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
 * It replaces an {@code Executors.newSingleThreadExecutor()} or {@code newSingleThreadScheduledExecutor()}.
 *
 * <pre>{@code
 * ScheduledExecutorService orders = spindle.strand("orders"); // on the threads of a spindle
 * Strand log = Strand.builder("log").build();                 // with its own thread
 * StrandGroup raft = Strand.builder("raft").group(8);         // eight of them
 * }</pre>
 *
 * <p><b>On a spindle</b> a strand has no thread. Its shutdown leaves the {@link Spindle} and all other lanes alone. An
 * idle strand costs only its memory; an unused strand needs no shutdown.
 *
 * <p><b>With its own thread</b>, which starts with the first task, a strand must be shut down like any executor of the
 * JDK.
 *
 * <p>Thread-safe. Order, memory consistency effects and rejection are those of {@link Lane}.
 */
public final class Strand extends TaskService implements Lane, AutoCloseable {
    private final Spindle spindle;
    private final String name;
    private final boolean alone;
    private final Life lifetime;
    private final LaneOwner owner;
    private final LaneHandle lane;
    private final ShutdownHooks lastTasks;
    private final CompletableFuture<@Nullable Void> terminated = new CompletableFuture<>();
    private volatile @Nullable GracefulShutdown graceful;

    /**
     * Creates a strand.
     *
     * @param alone true if the spindle serves only this strand and ends with it
     * @param capacity the maximum number of waiting tasks, or 0 for the bound of the spindle
     */
    Strand(Spindle spindle, String name, boolean alone, int capacity, OnFull onFull) {
        this.spindle = spindle;
        this.name = name;
        this.alone = alone;
        lifetime = new Life(spindle.pool().lifetime());
        CountedPermits places = CountedPermits.of(capacity);
        owner = new LaneOwner(this, name, bounds(spindle, capacity, onFull), places, lifetime, lifetime);
        lane = new LaneHandle(spindle.lanes(), owner);
        lastTasks = new ShutdownHooks(spindle.lanes(), owner);
    }

    private static @Nullable Bounds bounds(Spindle spindle, int capacity, OnFull onFull) {
        if (capacity == 0) {
            return null;
        }
        return spindle.kernel().strandBounds(capacity, onFull.policy());
    }

    /**
     * Returns a builder for a strand, or a {@linkplain StrandBuilder#group group} of strands, on a spindle or with its
     * own thread. The name appears in thread names and messages.
     */
    public static StrandBuilder builder(String name) {
        return new StrandBuilder(name);
    }

    @Override
    public Object key() {
        return name;
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

    /** Performs a submit, and reports it to a graceful shutdown, which waits for the task. */
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
    public CompletableFuture<Boolean> coalesce(Runnable task) {
        return noted(() -> lane.coalesce(task));
    }

    @Override
    public CompletableFuture<Boolean> coalesceSlot(Object slot, Runnable task) {
        return noted(() -> lane.coalesceSlot(slot, task));
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
        return noted(() -> DelayedTaskTarget.schedule(spindle.lanes(), lane, task, null, delayNanos, periodNanos));
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

    /** Returns true if the calling thread runs a task of this strand. */
    public boolean isCurrent() {
        return owner.isCurrent();
    }

    /** Returns an estimate of the number of waiting tasks. May take time in proportion to it. */
    public int estimatedPending() {
        LaneCore core = lane.existing();
        return core == null ? 0 : core.estimatedDepth();
    }

    // ---------------------------------------------------------------- shutdown

    /**
     * Adds a task that runs last in this strand, after a shutdown of the strand or its spindle, when all accepted tasks
     * have ended. It may close what the tasks have used. Hooks run once each, in the order in which they were added,
     * however the shutdown proceeds; their failures are reported. {@link #shutdownNow} interrupts them only if it is
     * called while they run. If no thread can be started for them, they run on the thread that terminates the strand. A
     * spindle keeps a reference to a strand with hooks until either is shut down. A hook begins with a clear interrupt
     * flag and, if there is a {@link ContextHook}, with the context of the thread that added it.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the strand or its spindle has been shut down
     */
    public void addShutdownHook(Runnable hook) {
        lastTasks.add(hook);
    }

    /** Removes a hook. Returns false if it was not added or may have begun to run. */
    public boolean removeShutdownHook(Runnable hook) {
        return lastTasks.remove(hook);
    }

    /**
     * Shuts down when all accepted tasks have ended, async tasks included, and none was submitted for the quiet time
     * since. Running tasks, and threads that wait for them, can thus still submit follow-up tasks. When the limit has
     * passed, removes the tasks that have not started, as {@link #shutdownNow} does. Periodic tasks and delayed tasks
     * that are not due do not put off the shutdown; a pause with waiting tasks does. Returns at once.
     *
     * <p>The limit takes effect within 20 ms of its due time even if all workers block or compute. It acts on a thread
     * that runs no tasks, and that thread then also completes the future.
     *
     * @param quiet the quiet time; 0 shuts down at once
     * @param limit the limit: positive, and at least {@code quiet}
     * @return a future that completes with the removed tasks when the strand has terminated. A second call returns the
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
        GracefulShutdown fresh =
                new GracefulShutdown(spindle.lanes(), owner, this, Durations.toNanos(quiet), Durations.toNanos(limit));
        synchronized (lifetime) {
            GracefulShutdown before = graceful;
            if (before != null) {
                return before.end().copy();
            }
            graceful = fresh;
        }
        fresh.begin(ended());
        return fresh.end().copy();
    }

    /** Stops accepting tasks, ends pauses and periodic tasks, and runs all accepted tasks. Returns at once. */
    @Override
    public void shutdown() {
        Headroom.require();
        boolean held = lifetime.hold(); // until all parts know of the shutdown
        beginShutdown(false);
        endShutdown(false, new ArrayList<>());
        letTerminate(held);
    }

    /**
     * Stops accepting tasks, removes all tasks that have not started, cancels their futures, and interrupts the running
     * task of this strand, but no other.
     *
     * @return the removed tasks as they were submitted, in order, delayed ones last
     */
    @Override
    public List<Runnable> shutdownNow() {
        Headroom.require();
        boolean held = lifetime.hold(); // until all parts know of the shutdown
        beginShutdown(true);
        LaneCore core = lane.existing(); // does not create a lane, which would run the hooks
        List<Runnable> tasks = new ArrayList<>(lane.cancelPending());
        endShutdown(true, tasks);
        letTerminate(held);
        if (core != null) {
            core.interruptTurn();
            Lanes.haltOpen(core);
        }
        return tasks;
    }

    /** Stops accepting tasks, and refuses all submitters that wait at a bound. */
    private void beginShutdown(boolean now) {
        lifetime.shut(now);
        LaneCore core = lane.existing();
        CountedPermits places = owner.places();
        CountedPermits taken = places != null || core == null ? places : core.places();
        if (taken != null) {
            taken.refuse(); // F4
        }
        spindle.kernel().refuseShut();
    }

    private void endShutdown(boolean all, List<Runnable> tasks) {
        lastTasks.close();
        lifetime.tell();
        if (alone) {
            spindle.pool().endSpinning();
        }
        spindle.kernel().timers().end(owner.timers(), all, tasks);
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

    private void tryTerminate() {
        long look = lifetime.look(); // before the lane (Lifetime-1)
        // D1, F3
        if (lifetime.isShutItself() && lane.existing() == null && lifetime.end(look) && lastTasks.haveEnded()) {
            if (alone) {
                spindle.shutdown();
            }
            terminated.complete(null);
            spindle.kernel().removeAwaited(owner);
        }
    }

    /** Returns true if a shutdown has begun. */
    @Override
    public boolean isShutdown() {
        return lifetime.isShutItself() || spindle.isShutdown();
    }

    /** Returns true if the strand has been shut down and none of its tasks runs or waits. */
    @Override
    public boolean isTerminated() {
        return (terminated.isDone() && !alone) || spindle.isTerminated();
    }

    /**
     * Waits until {@link #isTerminated}, at most for {@code timeout}.
     *
     * @return false if the timeout elapsed first
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return awaitEnd(spindle.pool(), ended(), timeout, unit);
    }

    /** Returns a future that completes when this strand has terminated, after any kind of shutdown. */
    CompletableFuture<@Nullable Void> ended() {
        if (alone) {
            return spindle.kernel().terminated();
        }
        if (!terminated.isDone()) {
            spindle.kernel().addAwaited(owner);
            if (terminated.isDone()) {
                spindle.kernel().removeAwaited(owner);
            }
        }
        return terminated;
    }

    /**
     * Shuts down and waits until all accepted tasks have ended. If the calling thread is interrupted, calls
     * {@link #shutdownNow}, goes on waiting, and restores the interrupt flag before it returns. A shared spindle is not
     * shut down.
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

    private final class Life extends Lifetime implements LaneOwner.Listener {
        Life(Lifetime of) {
            super(of);
        }

        @Override
        protected void released() {
            tryTerminate();
        }

        @Override
        public void laneDied() {
            tryTerminate();
        }

        @Override
        public void spindleShutDown() {
            shut(spindle.pool().isHalted());
            lastTasks.close();
            tryTerminate();
        }

        @Override
        public void spindleTerminated() {
            terminated.complete(null);
        }
    }
}
