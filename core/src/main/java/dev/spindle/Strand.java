// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Durations;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import dev.spindle.internal.executor.Bounds;
import dev.spindle.internal.executor.CloseSteps;
import dev.spindle.internal.executor.DelayedTask;
import dev.spindle.internal.executor.DelayedTaskTarget;
import dev.spindle.internal.executor.ExecutorKernel;
import dev.spindle.internal.executor.LaneHandle;
import dev.spindle.internal.executor.LaneOwner;
import dev.spindle.internal.executor.Lanes;
import dev.spindle.internal.executor.QuietPeriod;
import dev.spindle.internal.executor.TaskFuture;
import dev.spindle.internal.executor.TerminationFuture;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.limit.CountedPermits;
import dev.spindle.internal.wait.Closing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lane with a handle instead of a key. A strand is a serial executor, which runs one task at a time in the order of
 * the submits. A strand replaces an {@code Executors.newSingleThreadExecutor()} or
 * {@code newSingleThreadScheduledExecutor()}.
 *
 * <pre>{@code
 * ScheduledExecutorService orders = spindle.strand("orders"); // on the threads of a spindle
 * Strand log = Strand.builder("log").build();                 // with its own thread
 * StrandGroup raft = Strand.builder("raft").buildGroup(8);    // eight of them
 * }</pre>
 *
 * <p><b>On a spindle</b> a strand has no thread. Its shutdown does not affect the {@link Spindle} or other lanes. An
 * idle strand costs only its memory. An unused strand needs no shutdown.
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
    private final long quietNanos;
    private final TerminationFuture terminated;
    private volatile @Nullable QuietPeriod quiet; // set by the first shutdown with a quiet period

    /**
     * Creates a strand.
     *
     * @param alone true if the spindle serves only this strand and ends with it
     * @param capacity the maximum number of waiting tasks, or 0 for no bound of its own
     * @param quietNanos the quiet period of a shutdown, or 0
     */
    Strand(Spindle spindle, String name, boolean alone, int capacity, OnFull onFull, long quietNanos) {
        this.spindle = spindle;
        this.name = name;
        this.alone = alone;
        this.quietNanos = quietNanos;
        terminated = new TerminationFuture(spindle.pool());
        lifetime = new Life(spindle.pool().lifetime());
        Bounds bounds = spindle.kernel().strandBounds(capacity, onFull.policy());
        owner = new LaneOwner(this, name, bounds, lifetime, lifetime);
        lane = new LaneHandle(spindle.lanes(), owner);
    }

    /**
     * Returns a builder for a strand with its own thread, or a {@linkplain StrandBuilder#buildGroup group} of such
     * strands. The thread has the name of the strand and the other default properties that
     * {@link SpindleBuilder#threadFactory} describes. The thread is not a daemon, and ends only after a shutdown. A
     * thread without work {@linkplain WaitStrategy#PARK parks}. A strand of {@link Spindle#strandBuilder} has no
     * thread, but uses the threads of a spindle.
     */
    public static StrandBuilder builder(String name) {
        return new StrandBuilder(name, null, WaitStrategy.PARK);
    }

    /**
     * Does what {@link #builder(String)} does, with threads of {@code threadFactory}, such as threads pinned to
     * processor cores, and with the given behaviour of threads without work.
     */
    public static StrandBuilder builder(String name, ThreadFactory threadFactory, WaitStrategy waitStrategy) {
        return new StrandBuilder(
                name,
                Objects.requireNonNull(threadFactory, "threadFactory"),
                Objects.requireNonNull(waitStrategy, "waitStrategy"));
    }

    /**
     * Returns a new strand whose turns are tasks of {@code executor}, as {@link Keyed#over} describes. A shutdown of
     * the strand does not affect the executor.
     */
    public static Strand over(String name, Executor executor) {
        return new Strand(Keyed.spindleOver(name, executor), name, true, 0, OnFull.reject(), 0);
    }

    @Override
    public Object key() {
        return name;
    }

    ExecutorKernel kernel() {
        return spindle.kernel();
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

    /** Performs a submit. During a quiet period, the strand is not shut down before the task has ended. */
    private <R> R noted(Supplier<R> submit) {
        QuietPeriod period = quiet;
        return period == null ? submit.get() : period.submit(submit);
    }

    // ---------------------------------------------------------------- submit

    @Override
    public void execute(Runnable task) {
        if (quiet == null) {
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
        return TaskFuture.of(lane.origin(), lane, task, result);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submitAsync(Callable<? extends CompletionStage<T>> task) {
        return noted(() -> lane.submitAsync(task));
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submitAsync(
            Callable<? extends CompletionStage<T>> task, Duration timeout) {
        return noted(() -> lane.submitAsync(task, timeout));
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
    <T> DelayedTask<T> delay(Object task, long delayNanos, long periodNanos) {
        return noted(() -> DelayedTaskTarget.schedule(spindle.lanes(), lane, task, delayNanos, periodNanos));
    }

    // ---------------------------------------------------------------- control

    /**
     * Changes the maximum number of waiting tasks, and the policy of submits that find this number of tasks waiting. If
     * the number grows, submitters that wait for a place are admitted at once. If it becomes smaller, the waiting tasks
     * stay. Tasks accepted before the strand had a bound are not counted. {@link Integer#MAX_VALUE} means no bound.
     *
     * @throws IllegalArgumentException if {@code tasks} is less than 1, or for {@link OnFull#callerRuns}, which would
     *     run tasks outside the turns of the lane
     */
    public void setCapacity(int tasks, OnFull policy) {
        Headroom.require();
        OnFull onFull = SpindleBuilder.requireNoCallerRuns(policy);
        int bound = SpindleBuilder.requireBound("capacity", tasks);
        owner.setBounds(spindle.kernel().strandBounds(bound, onFull.policy()), lane.existing());
    }

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
    public Activity activity() {
        return lane.activity();
    }

    @Override
    public boolean isCurrent() {
        return owner.isCurrent();
    }

    // ---------------------------------------------------------------- shutdown

    /**
     * Stops accepting tasks, ends pauses and periodic tasks, and runs all accepted tasks. Returns at once.
     *
     * <p>With a {@linkplain StrandBuilder#quietPeriod quiet period}, the strand continues to accept tasks. The strand
     * is shut down when all accepted tasks, including async tasks, have ended and the quiet period has passed without a
     * submit. Until then {@link #isShutdown} returns false. Periodic tasks and delayed tasks that are not due do not
     * delay the shutdown, but a pause with waiting tasks does. {@link #shutdownNow}, or a shutdown of the spindle, ends
     * the quiet period at once.
     */
    @Override
    public void shutdown() {
        Headroom.require();
        if (quietNanos == 0) {
            shutdownAtOnce();
            return;
        }
        QuietPeriod period =
                new QuietPeriod(spindle.lanes(), owner, this::shutdownAtOnce, this::isShutdown, quietNanos);
        synchronized (lifetime) {
            if (quiet != null) {
                return;
            }
            quiet = period;
        }
        period.begin();
    }

    private void shutdownAtOnce() {
        boolean held = lifetime.hold(); // so that the strand does not terminate before its parts are notified
        try {
            beginShutdown(false);
            endShutdown(false, null);
        } finally { // the stack may overflow
            letTerminate(held);
        }
    }

    /**
     * Stops accepting tasks, removes all tasks that have not started, and cancels their futures. Interrupts the running
     * task of this strand, but no other task.
     *
     * @return the removed tasks as they were submitted, in order, with the delayed tasks last
     */
    @Override
    public List<Runnable> shutdownNow() {
        Headroom.require();
        boolean held = lifetime.hold(); // so that the strand does not terminate before its parts are notified
        LaneCore core;
        List<Runnable> tasks;
        try {
            beginShutdown(true);
            core = lane.existing();
            tasks = new ArrayList<>(lane.cancelPending());
            endShutdown(true, tasks);
        } finally { // the stack may overflow
            letTerminate(held);
        }
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
        CountedPermits places = core == null ? null : core.places();
        if (places != null) {
            places.refuse(); // F4
        }
        spindle.kernel().refuseShut();
    }

    private void endShutdown(boolean all, @Nullable List<Runnable> tasks) {
        lifetime.tell();
        QuietPeriod period = quiet;
        if (period != null) {
            period.end();
        }
        if (alone) {
            spindle.pool().endSpinning();
        }
        spindle.kernel().timers().end(owner.timers(), all, tasks == null ? null : (of, task) -> tasks.add(task));
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
        long look = lifetime.look(); // before the read of the lane, so that end() notices a later hold (Lifetime-1)
        // D1, F3
        if (lifetime.isShutItself() && lane.existing() == null && lifetime.end(look)) {
            if (alone) {
                spindle.shutdown();
            }
            terminated.end();
            owner.endOrigin();
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
        return awaitEnd(spindle.pool(), ended().forLibrary(), timeout, unit);
    }

    /**
     * Returns a future that completes when this strand has terminated, after any kind of shutdown. A dependent action
     * can close the resources of the tasks: {@code strand.terminated().thenRun(connection::close)}. Dependents of the
     * future run on a worker or, if no worker is needed for the termination, in the thread that shuts down. Completing
     * the future affects nothing else.
     */
    public CompletableFuture<@Nullable Void> terminated() {
        return ended().copy();
    }

    private TerminationFuture ended() {
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
     * Shuts down, after the quiet period if there is one, and waits until all accepted tasks have ended. If the calling
     * thread is interrupted, calls {@link #shutdownNow}, continues to wait, and restores the interrupt flag before it
     * returns. Does not shut down the spindle that a strand shares.
     *
     * <p>With a {@link SpindleBuilder#closeTimeout} of the spindle, does what {@link #close(Duration)} does with that
     * time, and logs the report if it has halted.
     *
     * @throws IllegalStateException if called by a task of this strand, or by a callback that runs as its async task
     *     ends, which would wait for itself
     */
    @Override
    public void close() {
        new Steps().close(refusal());
    }

    /**
     * Shuts down and waits until all accepted tasks have ended, at most for {@code timeout}. When the time has passed,
     * does what {@link #shutdownNow} does, and returns at most 1 s later, even if a task does not react to its
     * interrupt. If the calling thread is interrupted, does the same at once, and restores the interrupt flag before it
     * returns.
     *
     * @return the tasks that have not run, and what still runs; empty if all accepted tasks have ended in time
     * @throws IllegalArgumentException if {@code timeout} is negative
     * @throws IllegalStateException if called by a task of this strand, or by a callback that runs as its async task
     *     ends, which would wait for itself
     */
    public Unfinished<Runnable> close(Duration timeout) {
        return new Steps().close(refusal(), Durations.requireLimit("timeout", timeout));
    }

    private @Nullable String refusal() {
        return Closing.refusal(toString(), waitsForCaller());
    }

    /** Returns whether this strand ends only after the calling code has returned. */
    boolean waitsForCaller() {
        return isCurrent() || Lanes.isEndedByCaller(lane.existing());
    }

    private final class Steps extends CloseSteps {
        Steps() {
            super(spindle.kernel(), Strand.this.toString());
        }

        @Override
        protected CompletableFuture<?> drain() {
            shutdown();
            return ended().forLibrary();
        }

        @Override
        protected void halt(CloseSteps.Removed to) {
            to.addAll(Strand.this.toString(), shutdownNow());
        }

        @Override
        protected List<Activity> running() {
            return Strand.this.running();
        }
    }

    /** Returns the activity of this strand if a task runs or an async task is open. */
    List<Activity> running() {
        Activity now = activity();
        return now.runningFor() == null ? List.of() : List.of(now);
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
        public boolean isAlone() {
            return alone;
        }

        @Override
        public void laneDied() {
            tryTerminate();
        }

        @Override
        public TerminationFuture termination() {
            return terminated;
        }
    }
}
