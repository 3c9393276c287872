// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.Durations;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.InternalTask;
import dev.spindle.internal.LaneName;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import dev.spindle.internal.WaitList;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.executor.Admission;
import dev.spindle.internal.executor.Bounds;
import dev.spindle.internal.executor.CallerRun;
import dev.spindle.internal.executor.CloseSteps;
import dev.spindle.internal.executor.DelayedTask;
import dev.spindle.internal.executor.ExecutorKernel;
import dev.spindle.internal.executor.Lanes;
import dev.spindle.internal.executor.LateTasks;
import dev.spindle.internal.executor.LogicalExecutors;
import dev.spindle.internal.executor.TaskFuture;
import dev.spindle.internal.executor.TaskKeys;
import dev.spindle.internal.executor.TerminationFuture;
import dev.spindle.internal.limit.ConcurrencyLimiter;
import dev.spindle.internal.report.Figures;
import dev.spindle.internal.stage.Origin;
import dev.spindle.internal.timer.Timers;
import dev.spindle.internal.wait.Closing;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A view of a {@link Spindle} for plain tasks, with its own limit on running tasks, its own bound on waiting tasks, and
 * its own shutdown. A logical executor replaces a fixed thread pool for one kind of work. A logical executor has no
 * threads: all executors of a spindle share the workers of the spindle.
 *
 * <pre>{@code
 * ExecutorService reads = spindle.executor("reads", 32); // was: Executors.newFixedThreadPool(32)
 * ExecutorService bounded = spindle.executorBuilder("bounded")
 *         .maxConcurrency(32)
 *         .capacity(1_000, OnFull.block(Duration.ofSeconds(1)))
 *         .build();
 * }</pre>
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread, even within tasks.
 *
 * <p><b>Ordering and fairness.</b> Workers take tasks in the order of the submits. An executor with waiting tasks has
 * one place in the spindle's order of service, as a lane has. The number of its tasks does not matter. A worker that
 * serves an executor runs at most 32 tasks or about 200 µs before it yields to other ready work. So an executor with
 * many tasks starves neither other executors nor lanes. A task that carries a key, a {@link SequentialTask} or
 * {@link CoalescingTask}, is refused, since only the spindle itself keeps the order of keys.
 *
 * <p><b>Concurrency.</b> At most {@code maxConcurrency} tasks run on workers at once. A blocked task counts as running.
 * With {@link OnFull#callerRuns} a submitter may run its task in addition, on its own thread.
 *
 * <p><b>Blocking.</b> A submit does not block unless {@link OnFull#block} is chosen. If a task blocks through
 * {@link Spindle#callBlocking} or in a future of this library, another worker replaces the blocked worker at once. A
 * task that waits for another task of the same executor needs a {@code maxConcurrency} of at least 2.
 *
 * <p><b>Rejection.</b> A submit is accepted, or throws {@link RejectedExecutionException}: after a shutdown, at a
 * bound, or if no thread exists and none can be started. {@link OnFull#dropOldest} reports each task that it drops. No
 * other accepted task is lost.
 *
 * <p><b>Memory consistency effects.</b> Actions in a thread before it submits a task happen-before the task. A task
 * happens-before the completion of its future. With a {@code maxConcurrency} of 1 and without
 * {@link OnFull#callerRuns}, each task happens-before the next.
 *
 * <p><b>Closing.</b> {@link #shutdown} runs all accepted tasks, and does not affect the spindle or its other executors.
 * A shutdown of the spindle shuts down all its executors. An unused executor needs no shutdown.
 */
public final class LogicalExecutor extends TaskService implements AutoCloseable {
    private final Spindle spindle;
    private final ExecutorKernel kernel;
    private final String name;
    private final ConcurrencyLimiter core;
    private volatile int capacity;
    private volatile OnFull onFull;
    private final Target target;
    private final Timers.Group ownTimers = new Timers.Group();
    private final Self self = new Self();
    private final Life lifetime;
    private final Origin origin;
    private final TerminationFuture terminated;
    private final AtomicLong rejected = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong returned = new AtomicLong();
    private final CallerRun.Counts byCallers = new CallerRun.Counts();

    LogicalExecutor(LogicalExecutorBuilder options) {
        spindle = options.spindle;
        kernel = spindle.kernel();
        terminated = new TerminationFuture(kernel.pool());
        target = new Target();
        lifetime = new Life(kernel.pool().lifetime());
        name = options.name;
        origin = kernel.newOrigin(owner(), lifetime, null, null).runBy((none, stage) -> execute(stage));
        capacity = options.capacity;
        core = new ConcurrencyLimiter(
                name, kernel.pool(), kernel.pool()::forEachWorker, options.tokens(), capacity, this::idle);
        onFull = options.onFull;
    }

    @Override
    Pool pool() {
        return kernel.pool();
    }

    /** Registers this executor for a shutdown of the spindle, until this executor has terminated. */
    void addTo(LogicalExecutors all, boolean followsMax) {
        all.add(self, terminated.forLibrary(), followsMax);
    }

    /** Returns the current counts. */
    public Stats stats() {
        long ended = byCallers.ended();
        long completed = core.completed() + ended;
        int running = core.running() + byCallers.running(ended);
        int queued = core.estimatedQueued();
        long droppedSoFar = dropped.get();
        return new Figures(
                name,
                completed + running + queued + droppedSoFar + returned.get(),
                completed,
                core.failed() + byCallers.failed(),
                rejected.get(),
                droppedSoFar,
                0,
                0,
                queued,
                running,
                capacity,
                core.tokens());
    }

    /**
     * Changes the maximum number of tasks that run at once. If the number grows, waiting tasks begin at once. If it
     * becomes smaller, workers in excess of it leave after their running task, and the waiting tasks stay. 0 pauses
     * this executor: tasks are accepted and none begins on a worker. A shutdown ends this pause, and then 0 means 1.
     *
     * @throws IllegalArgumentException if {@code tasks} is negative
     */
    public void setMaxConcurrency(int tasks) {
        Headroom.require();
        core.setTokens(SpindleBuilder.requireLimit("maxConcurrency", tasks));
    }

    /**
     * Changes the maximum number of waiting tasks, and the policy of submits that find this number of tasks waiting. If
     * the number grows, waiting submitters, which keep their time limit, are admitted at once. If it becomes smaller,
     * the waiting tasks stay. {@link Integer#MAX_VALUE} means no bound.
     *
     * @throws IllegalArgumentException if {@code tasks} is less than 1
     */
    public void setCapacity(int tasks, OnFull policy) {
        Headroom.require();
        int bound = SpindleBuilder.requireBound("capacity", tasks);
        onFull = Objects.requireNonNull(policy, "policy");
        capacity = bound;
        core.setCapacity(bound);
    }

    /**
     * Runs {@code task} at some time in the future. A failure of the task goes to the
     * {@link SpindleBuilder#onFailure failure handler}.
     *
     * @throws NullPointerException if {@code task} is null
     * @throws IllegalArgumentException if {@code task} carries a key
     * @throws RejectedExecutionException after a shutdown, at a bound, or if no thread exists and none can be started
     */
    @Override
    public void execute(Runnable task) {
        Headroom.require();
        Runnable entry = requirePlain(task);
        if (core.isShut() || task instanceof InternalTask) { // a stage of a future takes no permit
            executeLate(task);
            return;
        }
        requireThread();
        entry = kernel.decorated(entry);
        try {
            accept(entry);
        } catch (RejectedExecutionException e) {
            if (!core.isShut() || !LateTasks.mayBe(task)) {
                throw e;
            }
            executeLate(task);
        }
    }

    private void accept(Runnable admitted) {
        Runnable entry = admitted;
        Bounds total = kernel.bounds();
        // before a permit is taken, which a failed allocation would lose
        Runnable placed = total == null ? entry : total.entry(entry);
        Admission slow = null;
        if (!tryTake(total)) {
            slow = new Admission(kernel.pool(), self, null);
            if (!slow.admit(ownBound(), total == null ? null : total.ofSpindle(this::dropOldestPlaced))) {
                runByCaller(entry);
                return;
            }
        }
        try {
            core.publish(placed);
        } catch (Throwable t) {
            CancellableEntry.withdraw(placed);
            throw t;
        } finally {
            if (slow != null) {
                slow.tellDropped(kernel::reportDropped);
            }
        }
    }

    private void executeLate(Runnable task) {
        if (!LateTasks.begin(task, kernel.pool(), lifetime)) {
            throw rejected(null);
        }
        try {
            requireThread();
            Runnable entry = task instanceof InternalTask ? task : kernel.decorated(task);
            core.arriveDue();
            core.publish(entry);
        } finally {
            lifetime.release();
        }
    }

    private void requireThread() {
        if (!kernel.pool().ensureThread()) {
            throw rejected(spindle.lanes().noThread());
        }
    }

    /**
     * Takes a permit of this executor and one of the spindle. Returns false, without permits, if either has none free.
     */
    private boolean tryTake(@Nullable Bounds total) {
        if (!core.arrive()) {
            return false;
        }
        if (total == null || total.tryTake()) {
            return true;
        }
        core.room().giveBack();
        return false;
    }

    private Admission.Bound ownBound() {
        String full = "the capacity, " + capacity + " waiting tasks, is used up";
        return new Admission.Bound(core.room(), onFull.policy(), full, () -> dropOldest(full), true);
    }

    /**
     * Removes and returns the oldest waiting task with a permit, which the submitted task takes over. Returns null if
     * there is none, or throws a rejection if only delayed tasks and stages wait.
     */
    private @Nullable Runnable dropOldest(String full) {
        boolean[] exempt = new boolean[1];
        Runnable oldest = core.exchangeFirst(entry -> {
            CancellableEntry accepted = CancellableEntry.of(entry);
            boolean keep = accepted != null && accepted.isExempt(); // no permit that the submitted task could take over
            exempt[0] |= keep;
            return !keep;
        });
        if (oldest == null && exempt[0]) {
            throw rejected(full + " by delayed tasks that are due or by stages, and no task can be dropped");
        }
        dropped.addAndGet(oldest == null ? 0 : 1);
        return Bounds.withoutPlace(oldest);
    }

    /** Removes and returns the oldest task that also holds a permit of the spindle, or returns null. */
    private @Nullable Object dropOldestPlaced() {
        Runnable oldest = core.exchangeFirst(CancellableEntry.Droppable.class::isInstance);
        dropped.addAndGet(oldest == null ? 0 : 1);
        return oldest;
    }

    /** Runs a task on the submitting thread. */
    private void runByCaller(Runnable entry) {
        try {
            if (!core.beginOutside()) {
                throw rejected(null);
            }
            try {
                CallerRun.run(this, name, spindle, () -> byCallers.run(kernel.pool(), name, entry));
            } finally {
                core.endOutside();
            }
        } catch (Throwable t) {
            CancellableEntry.withdraw(entry);
            throw t;
        }
    }

    private static <T> T requirePlain(T task) {
        Objects.requireNonNull(task, "task");
        if (TaskKeys.carriesKey(task)) {
            throw new IllegalArgumentException("the task " + task
                    + " carries a key, whose order a logical executor does not keep; submit it to the spindle");
        }
        return task;
    }

    /** Counts and creates a rejection; {@code why} is the reason, or null for the state of the executor. */
    private RejectedExecutionException rejected(@Nullable String why) {
        rejected.incrementAndGet();
        return kernel.statistics().rejected(name, null, this + " rejected a task" + (why == null ? "" : ": " + why));
    }

    @Override
    <T extends @Nullable Object> TaskFuture<T> future(Object task, @Nullable T result) {
        return TaskFuture.of(origin, null, requirePlain(task), result);
    }

    @Override
    <T> DelayedTask<T> delay(Object user, long delayNanos, long periodNanos) {
        Headroom.require();
        requirePlain(user);
        requireThread();
        if (!core.beginOutside()) {
            throw rejected(null);
        }
        if (!kernel.pool().lifetime().hold()) {
            core.endOutside();
            throw rejected(null);
        }
        DelayedTask<T> task;
        try {
            task = new DelayedTask<>(origin, null, user, target, kernel.taskDecorator(), delayNanos, periodNanos);
        } catch (Throwable t) { // thrown by the task decorator, for example
            target.ended();
            throw t;
        }
        if (core.isShut() && task.forget()) { // the shutdown missed the task, which is not due yet
            throw rejected(null);
        }
        return task;
    }

    /** Implements the interfaces through which the bounds and the spindle use this executor. */
    private final class Self implements Admission.Executor, LogicalExecutors.Member {
        @Override
        public String toString() {
            return owner();
        }

        @Override
        public boolean isShut(@Nullable LaneName lane) {
            return core.isShut();
        }

        @Override
        public RejectedExecutionException rejected(@Nullable LaneName lane, @Nullable String why) {
            return LogicalExecutor.this.rejected(why);
        }

        @Override
        public void shutdownWithSpindle() {
            core.shutdown();
        }

        @Override
        public void takeAll(BiConsumer<@Nullable Object, Runnable> to) {
            LogicalExecutor.this.takeAll(to);
        }

        @Override
        public void listWaits(WaitList list) {
            core.room().listWaits(this, list);
        }

        @Override
        public ConcurrencyLimiter core() {
            return core;
        }

        @Override
        public Stats stats() {
            return LogicalExecutor.this.stats();
        }
    }

    /** The destination of delayed tasks that are due. Neither the bound nor a shutdown rejects these tasks. */
    private final class Target extends DelayedTask.Target {
        Target() {
            super(kernel.pool(), kernel.timers());
        }

        @Override
        public boolean submitAtOnce(DelayedTask<?> task) {
            core.arriveDue();
            core.publish(task.carried());
            return true;
        }

        @Override
        public void submitDue(DelayedTask<?> task) {
            boolean unused = submitAtOnce(task);
        }

        @Override
        public Timers.Group ownTimers() {
            return ownTimers;
        }

        @Override
        public boolean isOpen() {
            return !core.isShut();
        }

        @Override
        protected Object owner() {
            return LogicalExecutor.this.owner();
        }

        @Override
        public void ended() {
            core.endOutside();
            kernel.pool().lifetime().release();
        }
    }

    // ---------------------------------------------------------------- shutdown

    /** Stops accepting tasks, ends periodic tasks, and runs all accepted tasks. Returns at once. */
    @Override
    public void shutdown() {
        Headroom.require();
        lifetime.shut(false);
        core.shutdown();
        kernel.refuseShut();
        kernel.timers().end(ownTimers, false, null);
    }

    /**
     * Called after a shutdown when no task is left. After a shutdown of the spindle alone, the lifetime does not end,
     * so dependent stages are still accepted.
     */
    private void idle() {
        long look = lifetime.look(); // before the other conditions, so that end() notices a later hold (Lifetime-1)
        if (core.hasEnded() && (!lifetime.isShutItself() || lifetime.end(look))) {
            terminated.end();
            if (lifetime.isShutItself()) { // else the stages are accepted until the termination of the spindle
                origin.end();
            }
        }
    }

    private final class Life extends Lifetime {
        Life(Lifetime of) {
            super(of);
        }

        @Override
        protected void released() {
            if (core.hasEnded()) {
                idle();
            }
        }
    }

    /**
     * Stops accepting tasks, removes all tasks that have not started, and cancels their futures. Interrupts the tasks
     * of this executor that run on workers, but no other tasks.
     *
     * @return the removed tasks as they were submitted, in order, with the delayed tasks last. A {@code Callable} is
     *     represented by its future.
     */
    @Override
    public List<Runnable> shutdownNow() {
        return new Steps().haltNow().tasks();
    }

    /** Returns the name of this executor in reports. */
    private String owner() {
        return "executor " + name;
    }

    /** Stops accepting tasks, and removes the waiting tasks, but not delayed tasks that are not due. */
    private void takeAll(BiConsumer<@Nullable Object, Runnable> to) {
        List<Runnable> taken = core.shutdownNow();
        returned.addAndGet(taken.size());
        kernel.statistics().withdrawn(taken.size());
        CancellableEntry.handBackAll(taken).forEach(task -> to.accept(owner(), task));
    }

    /** Returns true if a shutdown has begun. */
    @Override
    public boolean isShutdown() {
        return core.isShut();
    }

    /** Returns true if the executor has been shut down and none of its tasks runs, waits or is delayed. */
    @Override
    public boolean isTerminated() {
        return terminated.isDone();
    }

    /**
     * Waits until {@link #isTerminated}, at most for {@code timeout}.
     *
     * @return false if the timeout elapsed first
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return awaitEnd(kernel.pool(), terminated.forLibrary(), timeout, unit);
    }

    /**
     * Returns a future that completes when this executor has terminated, after any kind of shutdown. Dependents of the
     * future run on a worker or, if no worker is needed for the termination, in the thread that shuts down. Completing
     * the future affects nothing else.
     */
    public CompletableFuture<@Nullable Void> terminated() {
        return terminated.copy();
    }

    /**
     * Shuts down and waits until all accepted tasks have ended. If the calling thread is interrupted, calls
     * {@link #shutdownNow}, continues to wait, and restores the interrupt flag before it returns. The spindle is not
     * shut down.
     *
     * <p>With a {@link SpindleBuilder#closeTimeout} of the spindle, does what {@link #close(Duration)} does with that
     * time, and logs the report if it has halted.
     *
     * @throws IllegalStateException if called by a task of this executor, which would wait for itself
     */
    @Override
    public void close() {
        new Steps().close(refusal());
    }

    /**
     * Shuts down and waits until all accepted tasks have ended, at most for {@code timeout}. When the time has passed,
     * does what {@link #shutdownNow} does, and returns at most 1 s later, even if tasks do not react to their
     * interrupt. If the calling thread is interrupted, does the same at once, and restores the interrupt flag before it
     * returns. The spindle is not shut down.
     *
     * @return the tasks that have not run, and what still runs; empty if all accepted tasks have ended in time
     * @throws IllegalArgumentException if {@code timeout} is negative
     * @throws IllegalStateException if called by a task of this executor, which would wait for itself
     */
    public Unfinished<Runnable> close(Duration timeout) {
        return new Steps().close(refusal(), Durations.requireLimit("timeout", timeout));
    }

    private @Nullable String refusal() {
        WorkerContext worker = WorkerContext.current();
        return Closing.refusal(toString(), (worker != null && worker.turn() == core) || CallerRun.isOf(this));
    }

    private final class Steps extends CloseSteps {
        Steps() {
            super(kernel, LogicalExecutor.this.owner());
        }

        @Override
        protected CompletableFuture<?> drain() {
            shutdown();
            return terminated.forLibrary();
        }

        @Override
        protected void halt(CloseSteps.Removed to) {
            Headroom.require();
            lifetime.shut(true);
            core.shutdown(); // refuses the waiting submitters before takeAll makes room
            kernel.refuseShut();
            takeAll(to);
            kernel.timers().end(ownTimers, true, to);
            core.interruptRunning();
        }

        @Override
        protected List<Activity> running() {
            return Lanes.running(kernel.pool(), core);
        }
    }

    /** Returns a string with the name, the spindle and the state. */
    @Override
    public String toString() {
        return "executor " + name + " of spindle " + kernel.pool().name() + " ("
                + (isTerminated() ? "terminated" : isShutdown() ? "shut down" : "running") + ")";
    }
}
