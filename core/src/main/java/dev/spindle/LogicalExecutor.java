// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.DroppableEntry;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.Interrupts;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import dev.spindle.internal.WaitList;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.jfr.JfrEvents;
import dev.spindle.internal.limit.ConcurrencyLimiter;
import dev.spindle.internal.timer.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A view of a {@link Spindle} for plain tasks, with a limit of its own on how many run at once, a bound of its own on
 * how many wait, and a shutdown of its own. It stands where a program has a fixed thread pool for one kind of work, and
 * has no threads: all executors of a spindle share its workers.
 *
 * <pre>{@code
 * ExecutorService reads = spindle.executor("reads") // was: Executors.newFixedThreadPool(32)
 *         .maxConcurrency(32)
 *         .queueCapacity(1_000)
 *         .onFull(OnFull.block(Duration.ofSeconds(1)))
 *         .build();
 * }</pre>
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread, tasks included.
 *
 * <p><b>Order and fairness.</b> Tasks start in the order of their submits, as far as that can be seen from outside. An
 * executor with waiting tasks has one place in the spindle's order of service, as a lane has, however many tasks wait
 * and however many may run at once; a worker that comes to it runs at most 32 tasks or about 200 µs before it lets
 * others have their turn. So an executor that is flooded starves neither other executors nor lanes. A task that carries
 * a key, a {@link SequentialTask} or {@link CoalescingTask}, is refused: its order is kept by the spindle itself.
 *
 * <p><b>Concurrency.</b> At most {@code maxConcurrency} of the tasks run on workers at once. A task that blocks keeps
 * its place. With {@link OnFull#callerRuns} a submitter may run its task besides, on its own thread.
 *
 * <p><b>Blocking.</b> Submits do not block, but where {@link OnFull#block} is chosen. A task that blocks through {@link
 * Blocking} or in a future of this project is replaced by another worker at once. A task that waits for another task of
 * the same executor needs a place for both.
 *
 * <p><b>Rejection.</b> A submit is accepted, or throws {@link RejectedExecutionException}: after a shutdown, at a
 * bound, or when there is no thread at all and none can be started. Nothing accepted is lost; {@link OnFull#dropOldest}
 * tells of what it drops.
 *
 * <p><b>Memory consistency effects.</b> Actions in a thread before it submits a task happen-before the task; a task
 * happens-before the completion of its future. With a {@code maxConcurrency} of 1 and without {@link
 * OnFull#callerRuns}, each task happens-before the next.
 *
 * <p><b>Closing.</b> {@link #shutdown} runs all that was accepted, and leaves the spindle and all its other executors
 * alone. The shutdown of the spindle shuts its executors down too. An executor that is no longer used needs no
 * shutdown.
 */
public final class LogicalExecutor extends TaskService implements AutoCloseable {
    private final Spindle spindle;
    private final String name;
    private final int maxConcurrency;
    private final int queueCapacity;
    private final ConcurrencyLimiter core;
    private final OnFull onFull;
    private final Target target;
    private final Timers.Group ownTimers = new Timers.Group();
    private final Self self = new Self();
    private final Life lifetime;
    private final CompletableFuture<@Nullable Void> terminated = new CompletableFuture<>();
    private final AtomicLong rejected = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong returned = new AtomicLong();
    private final AtomicLong callersBegun = new AtomicLong();
    private final AtomicLong callersEnded = new AtomicLong();

    LogicalExecutor(LogicalExecutorBuilder options) {
        VarHandleWarmup.runExecutors();
        spindle = options.all.spindle();
        target = new Target();
        lifetime = new Life(spindle.lifetime());
        name = options.name;
        maxConcurrency = options.maxConcurrency;
        queueCapacity = options.queueCapacity;
        core = new ConcurrencyLimiter(
                name,
                spindle.pool(),
                spindle.pool()::forEachWorker,
                maxConcurrency,
                queueCapacity == 0
                        ? ConcurrencyLimiter.UNBOUNDED
                        : Math.min(queueCapacity, ConcurrencyLimiter.UNBOUNDED),
                this::idle);
        onFull = options.onFull;
    }

    @Override
    Pool pool() {
        return spindle.pool();
    }

    Spindle spindle() {
        return spindle;
    }

    int estimatedQueued() {
        return core.estimatedQueued();
    }

    void listWaits(WaitList list) {
        core.room().listWaits(self, list);
    }

    void onTermination(Runnable action) {
        CompletableFuture<@Nullable Void> unused = terminated.thenRun(action);
    }

    /** Returns the name, which is for messages and statistics; two executors of one name are two. */
    public String name() {
        return name;
    }

    /** Returns counts of now. */
    public LogicalExecutorStats stats() {
        long byCallers = callersEnded.get();
        int runningByCallers = (int) Math.max(0, callersBegun.get() - byCallers);
        long completed = core.completed() + byCallers;
        int running = core.running() + runningByCallers;
        int queued = core.estimatedQueued();
        return new LogicalExecutorStats(
                name,
                maxConcurrency,
                queueCapacity,
                running,
                core.peak(),
                queued,
                completed + running + queued + dropped.get() + returned.get(),
                completed,
                rejected.get(),
                dropped.get(),
                byCallers);
    }

    // ---------------------------------------------------------------- submit

    /**
     * Runs {@code task} at some time to come. Its failure goes to the {@link FailureHandler}.
     *
     * @throws NullPointerException if {@code task} is null
     * @throws IllegalArgumentException if {@code task} carries a key
     * @throws RejectedExecutionException after a shutdown, at a bound, or when there is no thread and none can be
     *     started
     */
    @Override
    public void execute(Runnable task) {
        Headroom.require();
        Runnable entry = requirePlain(task);
        if (core.isShut()) {
            executeLate(task);
            return;
        }
        requireThread();
        ContextHook context = spindle.context();
        entry = context == null ? entry : ContextTask.of(context, entry);
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
        Bounds total = spindle.bounds();
        Runnable placed = total == null ? entry : total.entry(entry); // before it has: there may be no memory for it
        Admission slow = null;
        if (!tryTake(total)) {
            slow = new Admission(spindle.pool(), self, null);
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
                slow.tellDropped(spindle::reportDropped);
            }
        }
    }

    private void executeLate(Runnable task) {
        if (!LateTasks.begin(task, spindle.pool(), lifetime)) {
            throw rejected(null);
        }
        try {
            requireThread();
            ContextHook context = spindle.context();
            Runnable entry = context == null ? task : ContextTask.of(context, task);
            core.arriveDue();
            core.publish(entry);
        } finally {
            lifetime.release();
        }
    }

    private void requireThread() {
        if (!spindle.pool().ensureThread()) {
            throw rejected(spindle.noThread());
        }
    }

    /** Takes a place here and of the spindle; neither, if one of them is full. */
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
        String full = "the capacity, " + queueCapacity + " waiting tasks, is used up";
        return new Admission.Bound(core.room(), onFull, full, () -> dropOldest(full), true);
    }

    /** Removes the oldest task, for one that has arrived in its place then. */
    private @Nullable Runnable dropOldest(String full) {
        boolean[] due = new boolean[1];
        Runnable oldest = core.exchangeFirst(entry -> {
            CancellableEntry accepted = CancellableEntry.of(entry);
            boolean delayed = accepted != null && accepted.isDelayed();
            due[0] |= delayed; // it was accepted long ago, and has no place of its own to give
            return !delayed;
        });
        if (oldest == null && due[0]) {
            throw rejected(full + " by delayed tasks that are due, and nothing can be dropped");
        }
        dropped.addAndGet(oldest == null ? 0 : 1);
        return Bounds.withoutPlace(oldest);
    }

    /** The same of those that have a place of the spindle. */
    private @Nullable Object dropOldestPlaced() {
        Runnable oldest = core.exchangeFirst(DroppableEntry.class::isInstance);
        dropped.addAndGet(oldest == null ? 0 : 1);
        return oldest;
    }

    private void runByCaller(Runnable entry) {
        try {
            CallerRun.run(this, () -> runHere(entry));
        } catch (Throwable t) {
            CancellableEntry.withdraw(entry);
            throw t;
        }
    }

    /** Runs a task on the thread that submits it. */
    private void runHere(Runnable entry) {
        if (!core.beginOutside()) {
            throw rejected(null);
        }
        callersBegun.incrementAndGet();
        boolean interrupted = Thread.interrupted(); // a task begins without the interrupts of others
        try {
            JfrEvents.runByCaller(spindle.pool().name(), name, entry);
        } catch (Throwable t) {
            spindle.pool().failed(null, entry, t);
        }
        if (interrupted) {
            Interrupts.sendAndReport(Thread.currentThread());
        }
        callersEnded.incrementAndGet();
        core.endOutside();
    }

    private static <T> T requirePlain(T task) {
        Objects.requireNonNull(task, "task");
        if (TaskKeys.carriesKey(task)) {
            throw new IllegalArgumentException("the task " + task
                    + " carries a key, whose order a logical executor does not keep; submit it to the spindle");
        }
        return task;
    }

    /** Counts and makes a rejection; {@code why} is null for the state of the executor itself. */
    private RejectedExecutionException rejected(@Nullable String why) {
        rejected.incrementAndGet();
        return spindle.statistics().rejected(name, null, this + " rejected a task" + (why == null ? "" : ": " + why));
    }

    @Override
    <T extends @Nullable Object> TaskFuture<T> future(Object task, @Nullable T result) {
        return new TaskFuture<>(spindle.pool(), null, requirePlain(task), result);
    }

    // ---------------------------------------------------------------- schedule

    @Override
    <T> DelayedTask<T> delay(Object user, long delayNanos, long periodNanos) {
        Headroom.require();
        requirePlain(user);
        requireThread();
        if (!core.beginOutside()) {
            throw rejected(null);
        }
        if (!spindle.lifetime().hold()) {
            core.endOutside();
            throw rejected(null);
        }
        DelayedTask<T> task;
        try {
            task = new DelayedTask<>(
                    spindle.pool(), null, user, null, target, spindle.context(), delayNanos, periodNanos);
        } catch (Throwable t) { // the context hook's, or no memory
            target.ended();
            throw t;
        }
        if (core.isShut() && task.forget()) { // the shutdown did not see it, and it is not due yet
            throw rejected(null);
        }
        return task;
    }

    /** This executor, as its bounds see it. */
    private final class Self implements Admission.Executor {
        @Override
        public String toString() {
            return "executor " + name;
        }

        @Override
        public boolean isShut(@Nullable Object key) {
            return core.isShut();
        }

        @Override
        public RejectedExecutionException rejected(@Nullable Object key, @Nullable String why) {
            return LogicalExecutor.this.rejected(why);
        }
    }

    /** Where delayed tasks of this executor go when they are due: past its bound and its shutdown. */
    private final class Target extends DelayedTask.Target {
        Target() {
            super(spindle.pool(), spindle.timers());
        }

        @Override
        boolean submitAtOnce(DelayedTask<?> task) {
            core.arriveDue();
            core.publish(task.carried());
            return true;
        }

        @Override
        void submitDue(DelayedTask<?> task) {
            boolean unused = submitAtOnce(task);
        }

        @Override
        Timers.Group ownTimers() {
            return ownTimers;
        }

        @Override
        boolean isOpen() {
            return !core.isShut();
        }

        @Override
        void ended() {
            core.endOutside();
            spindle.lifetime().release();
        }
    }

    // ---------------------------------------------------------------- shutdown

    /** Accepts nothing more, ends periodic tasks, and runs everything accepted. Returns at once. */
    @Override
    public void shutdown() {
        Headroom.require();
        lifetime.shut(false);
        core.shutdown();
        spindle.refuseShut();
        spindle.timers().end(ownTimers, false, new ArrayList<>());
    }

    /** Accepts nothing more; for a spindle that ends delayed tasks itself. */
    void shutdownWithSpindle() {
        core.shutdown();
    }

    /** Called when nothing is left after a shutdown. One of the spindle leaves it open to stages that follow. */
    private void idle() {
        long look = lifetime.look(); // before the rest (Lifetime-1)
        if (core.hasEnded() && (!lifetime.isShutItself() || lifetime.end(look))) {
            terminated.complete(null);
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
     * Accepts nothing more, takes away everything that has not started, cancels the futures, and interrupts the tasks
     * of this executor that run on workers, and no others.
     *
     * @return the tasks as they were handed in, in order, delayed ones last. A {@code Callable} is represented by its
     *     future.
     */
    @Override
    public List<Runnable> shutdownNow() {
        Headroom.require();
        lifetime.shut(true);
        core.shutdown(); // refuses all that wait, before there is room
        spindle.refuseShut();
        List<Runnable> tasks = new ArrayList<>();
        takeAll(tasks);
        spindle.timers().end(ownTimers, true, tasks);
        core.interruptRunning();
        return tasks;
    }

    /** Accepts nothing more, and takes away what waits, but for delayed tasks that are not due. */
    void takeAll(List<Runnable> to) {
        List<Runnable> taken = core.shutdownNow();
        returned.addAndGet(taken.size());
        spindle.statistics().withdrawn(taken.size());
        taken.replaceAll(CancellableEntry::withdraw);
        to.addAll(taken);
    }

    /** Returns whether a shutdown has begun. */
    @Override
    public boolean isShutdown() {
        return core.isShut();
    }

    /** Returns whether the executor has been shut down, and nothing of it runs, waits or is delayed. */
    @Override
    public boolean isTerminated() {
        return terminated.isDone();
    }

    /**
     * Waits until {@link #isTerminated}, for {@code timeout} at most.
     *
     * @return false if the time passed before
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return awaitEnd(spindle.pool(), terminated, timeout, unit);
    }

    /**
     * Shuts down and waits until everything accepted has ended. An interrupt turns it into {@link #shutdownNow}, after
     * which it still waits, and stays set. The spindle goes on.
     *
     * @throws IllegalStateException if called by a task of this executor, which would wait for itself
     */
    @Override
    public void close() {
        WorkerContext worker = WorkerContext.current();
        boolean own = (worker != null && worker.turn() == core) || CallerRun.isOf(this);
        ExecutorCloser.close(this, toString(), own);
    }

    /** Returns a string with the name, the spindle and the state. */
    @Override
    public String toString() {
        return "executor " + name + " of spindle " + spindle.pool().name() + " ("
                + (isTerminated() ? "terminated" : isShutdown() ? "shut down" : "running") + ")";
    }
}
