// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Durations;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.executor.DelayedTask;
import dev.spindle.internal.executor.DelayedTaskTarget;
import dev.spindle.internal.executor.ExecutorKernel;
import dev.spindle.internal.executor.FailureReport;
import dev.spindle.internal.executor.LaneHandle;
import dev.spindle.internal.executor.Lanes;
import dev.spindle.internal.executor.PlainTasks;
import dev.spindle.internal.executor.SpindleClosing;
import dev.spindle.internal.executor.TaskFuture;
import dev.spindle.internal.executor.TaskKeys;
import dev.spindle.internal.lane.LaneTable;
import dev.spindle.internal.pool.WorkerPool;
import dev.spindle.internal.stuck.KeyNames;
import dev.spindle.internal.stuck.SpindleHost;
import dev.spindle.internal.timer.Timers;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An elastic pool of few threads that runs plain tasks, tasks in order per key, and coalescing tasks, of which only the
 * latest per key has to run. A spindle implements {@link ScheduledExecutorService} in full.
 *
 * <pre>{@code
 * try (Spindle spindle = Spindle.create()) {
 *     Keyed<String> accounts = spindle.keyed("accounts");
 *     accounts.execute("alice", () -> book(debit));      // in order for alice
 *     accounts.execute("bob", () -> book(credit));       // concurrently with alice's tasks
 *     accounts.coalesce("alice", () -> redraw("alice")); // only the latest runs
 * }
 * }</pre>
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread, even within tasks.
 *
 * <p><b>Ordering and fairness.</b> Tasks of one key run one at a time, in the order of their submits. Plain tasks have
 * no guaranteed order. Ready lanes and plain tasks are served in one order, oldest first. A lane runs at most 32 tasks
 * or about 200 µs before it yields to other ready work. {@code Async} stages run in order: see {@link Lane}.
 *
 * <p><b>Threads.</b> There are at most {@link SpindleBuilder#maxThreads} workers. The pool starts more than
 * {@link SpindleBuilder#coreThreads} workers only if work is ready and either workers are blocked or no task finishes.
 * The pool learns that a worker is blocked from {@link #callBlocking}, from a wait for a future of this library, or by
 * observing the workers. Workers in excess of the core end when they have been idle for the keep-alive time. An idle
 * executor wakes no thread.
 *
 * <p><b>Blocking.</b> A submit does not block unless {@link OnFull#block} is chosen. A task that waits for a future of
 * its own lane gets an {@link IllegalStateException}. A task that would close a cycle of waits gets the same exception,
 * on a best-effort basis.
 *
 * <p><b>Rejection.</b> A submit is accepted or throws {@link RejectedExecutionException}. A coalescing task may be
 * superseded by a newer task, and {@link OnFull#dropOldest} may drop a task. No other accepted task is lost.
 *
 * <p><b>Memory consistency effects.</b> Actions in a thread before it submits a task happen-before the task. Each turn
 * of a lane happens-before the next turn of that lane. A task happens-before the completion of its future.
 *
 * <p><b>Closing.</b> {@link #shutdown} runs all accepted tasks, delayed ones included, and ends all pauses and periodic
 * tasks. {@link #close} also waits until all accepted tasks have ended.
 */
public final class Spindle extends TaskService implements AutoCloseable {
    private final String name;
    private final Pool pool;
    private final ExecutorKernel kernel;
    private final Lanes lanes;
    private final PlainTasks plain;
    private final @Nullable ThreadFactory auxiliaries;
    private final AtomicBoolean lowered = new AtomicBoolean();

    Spindle(SpindleBuilder options, String name, int core, int max, ThreadFactory threads) {
        this.name = name;
        auxiliaries = options.auxiliaries(name);
        if (options.keyInThreadName) {
            KeyNames.install();
        }
        Pool.Factory maker = options.threadFactory instanceof Pool.Factory given ? given : null;
        LongSupplier simulated = maker == null ? null : maker.clock();
        LongSupplier clock = simulated == null ? options.clock : simulated;
        Timers timers = new Timers(clock.getAsLong());
        SpindleHost host = new SpindleHost(
                Math.max(1, options.keyKeepAliveNanos / 2),
                options.stuckNanos,
                options.onStuck,
                options.keyInThreadName);
        PoolConfig config = new PoolConfig(
                name,
                core,
                options.coreThreads == 0,
                max,
                options.keepAliveNanos,
                options.growCoreAfter,
                WorkerContext.QUANTUM_NANOS,
                options.sampleOneIn,
                threads,
                auxiliaries,
                options.spins,
                options.yields,
                clock,
                host);
        pool = maker == null ? new WorkerPool(config, timers) : maker.newPool(config, timers);
        kernel = new ExecutorKernel(
                pool,
                timers,
                new LaneTable(pool, LaneTable.defaultIdleLimit(), host, host),
                options.taskDecorator,
                new FailureReport(name, options.onFailure),
                options.capacity,
                options.onFull == null ? null : options.onFull.policy(),
                options.closeNanos);
        lanes = new Lanes(kernel);
        host.serve(lanes);
        plain = new PlainTasks(lanes);
    }

    /**
     * Returns a new executor with default options: as many running workers as processors, and one more for each blocked
     * worker.
     */
    public static Spindle create() {
        return builder().build();
    }

    /** Returns a builder for a new executor. */
    public static SpindleBuilder builder() {
        return new SpindleBuilder();
    }

    // ---------------------------------------------------------------- views

    /**
     * Returns the key space with the given name, which is created at the first call; equal names give the same space.
     * Keys of different spaces never share a lane, even if the keys are equal. A space stays until this executor ends,
     * and takes some hundred bytes. {@link SequentialTask}s and {@link CoalescingTask}s use the space {@code tasks}.
     *
     * @throws IllegalArgumentException if {@code space} is blank
     */
    public <K> Keyed<K> keyed(String space) {
        return new Keyed<>(this, lanes.space(requireName(space)));
    }

    /**
     * Returns a builder for a new key space with properties of its own.
     *
     * @throws IllegalArgumentException if {@code space} is blank
     */
    public <K> KeyedBuilder<K> keyedBuilder(String space) {
        return new KeyedBuilder<>(this, requireName(space));
    }

    private static String requireName(String space) {
        if (Objects.requireNonNull(space, "space").isBlank()) {
            throw new IllegalArgumentException("space must not be blank, is \"" + space + "\"");
        }
        return space;
    }

    /**
     * Returns a new lane with a handle, a replacement for {@code Executors.newSingleThreadExecutor()}. The name appears
     * in messages; two strands with equal names are two lanes.
     */
    public Strand strand(String name) {
        return strandBuilder(name).build();
    }

    /** Returns a builder for a strand of this spindle, or a {@linkplain StrandBuilder#buildGroup group} of strands. */
    public StrandBuilder strandBuilder(String name) {
        return new StrandBuilder(this, name);
    }

    /**
     * Returns a new executor for plain tasks on the threads of this spindle. At most {@code maxConcurrency} tasks of
     * the executor run at once, and any number may wait. This method replaces {@code Executors.newFixedThreadPool}.
     *
     * @throws IllegalArgumentException if {@code maxConcurrency} is less than 1
     */
    public LogicalExecutor executor(String name, int maxConcurrency) {
        return executorBuilder(name).maxConcurrency(maxConcurrency).build();
    }

    /** Returns a builder for a logical executor of this spindle, with its own limits and shutdown. */
    public LogicalExecutorBuilder executorBuilder(String name) {
        return new LogicalExecutorBuilder(this, name);
    }

    /**
     * Makes {@code call} and announces to the pool that the call may block. The pool then replaces the calling worker
     * at once. Without the announcement, the pool replaces a worker only after the pool has detected the wait. On a
     * thread that is not a worker of a spindle, this method only makes the call.
     *
     * <p>A wait for a future of this library needs no announcement. Calls may be nested: a worker counts as blocked
     * until the outermost call ends.
     *
     * <pre>{@code
     * byte[] reply = Spindle.callBlocking(() -> socket.getInputStream().readNBytes(64));
     * }</pre>
     *
     * <p>A call without a result is a lambda with a body that ends with {@code return null}.
     *
     * @return the result of the call
     * @throws X if the call throws it
     */
    public static <T extends @Nullable Object, X extends Throwable> T callBlocking(BlockingCall<T, X> call) throws X {
        Objects.requireNonNull(call, "call");
        WorkerContext worker = WorkerContext.current();
        if (worker == null) {
            return call.call();
        }
        Headroom.require();
        try {
            worker.beginBlocking();
            return call.call();
        } finally {
            worker.endBlocking();
        }
    }

    /**
     * Returns the time by the clock that measures the delays and timeouts of this executor, in nanoseconds since an
     * arbitrary origin, as {@link System#nanoTime} does. In a simulation, this is the simulated time.
     */
    public long nanoTime() {
        return pool.nanoTime();
    }

    /**
     * Changes the maximum number of accepted tasks that wait in this executor, and the policy of submits that find this
     * number of tasks waiting, as {@link SpindleBuilder#capacity} describes. If the number grows, submitters that wait
     * for a place are admitted at once. If it becomes smaller, the waiting tasks stay. Tasks accepted before the
     * executor had a bound are not counted. {@link Integer#MAX_VALUE} means no bound.
     *
     * @throws IllegalArgumentException if {@code tasks} is less than 1, or if {@code policy} is
     *     {@link OnFull#callerRuns}, which would run tasks outside the turns of their lanes
     */
    public void setCapacity(int tasks, OnFull policy) {
        Headroom.require();
        OnFull onFull = SpindleBuilder.requireNoCallerRuns(policy);
        kernel.setCapacity(SpindleBuilder.requireBound("capacity", tasks), onFull.policy());
    }

    /**
     * Changes the number of core threads, as {@link SpindleBuilder#coreThreads} describes. If the number grows, further
     * threads start when work needs them. If it becomes smaller, threads in excess of it end when they have been idle
     * for the keep-alive time. A change after the termination of this executor has no effect.
     *
     * @throws IllegalArgumentException if {@code threads} is not from 1 to 32,000, or is more than
     *     {@link SpindleStats#maxThreads}
     */
    public void setCoreThreads(int threads) {
        Headroom.require();
        pool.setCoreThreads(SpindleBuilder.requireCoreThreads(threads));
    }

    /**
     * Changes the maximum number of workers, as {@link SpindleBuilder#maxThreads} describes. If the number grows,
     * workers for the waiting tasks start at once. If it becomes smaller, idle workers in excess of it end at once, and
     * others end after their running task or turn; a task that blocks keeps its worker. The waiting tasks stay. Each
     * logical executor without a {@code maxConcurrency} of its own follows the new maximum.
     *
     * <p>A core that was not set follows as well, and a core that has grown falls to the maximum. A change after a
     * shutdown applies to the accepted tasks that are left; after the termination it has no effect.
     *
     * @throws IllegalArgumentException if {@code threads} is not from 1 to 32,000, or to 1,000,000 with virtual
     *     auxiliary threads, or is less than the number of core threads that was set
     */
    public void setMaxThreads(int threads) {
        Headroom.require();
        pool.setMaxThreads(SpindleBuilder.requireMaxThreads(threads, auxiliaries));
        kernel.executors().maxChanged();
    }

    /** Returns the current counts. */
    public SpindleStats stats() {
        return kernel.stats();
    }

    /**
     * Returns the {@code n} lanes that have been busy longest, the longest first. The time of a lane is the wait of its
     * oldest task, the duration of its turn, or the duration of its open async task, whichever is longest. Includes
     * strands, and the keys of all spaces. Takes time in proportion to the number of lanes.
     *
     * @throws IllegalArgumentException if {@code n} is negative
     */
    public List<Activity> busiest(int n) {
        return lanes.busiest(n, kernel.table().lanes());
    }

    /**
     * Returns what runs now, the longest first: the lanes with a running task or an open async task, the logical
     * executors, for each worker that runs one of their tasks, and the workers that run plain tasks. The time of a
     * plain task, and of a task of a logical executor, is accurate to about the run time of a few tasks. Takes time in
     * proportion to the number of lanes.
     */
    public List<Activity> running() {
        return lanes.running();
    }

    /**
     * Returns the current waits, the longest first. {@link WaitEdge} describes which waits are listed. The time of
     * a call is proportional to the number of waits, lanes and actors, and of the channels that tasks of this spindle
     * have used. The list is not an atomic snapshot, so a listed cycle may no longer exist.
     */
    public List<WaitEdge> waits() {
        return kernel.waits();
    }

    // ---------------------------------------------------------------- submit

    /**
     * Runs {@code task} at some time in the future. A {@link SequentialTask} or {@link CoalescingTask} runs in the lane
     * of its key.
     *
     * @throws NullPointerException if {@code task}, or the key that {@code task} carries, is null
     * @throws RejectedExecutionException after a shutdown, at a bound, or if no thread exists and none can be started
     */
    @Override
    public void execute(Runnable task) {
        Objects.requireNonNull(task, "task");
        TaskFuture<?> future = task instanceof TaskFuture<?> f ? f : null;
        LaneHandle lane = future == null ? null : future.lane();
        if (TaskKeys.carriesKey(task)) {
            executeTagged(task);
        } else if (future != null && lane != null) {
            if (TaskKeys.isCoalescing(future.user())) {
                lane.coalesce(future.submission(kernel.decorated(future)));
            } else {
                lane.execute(future);
            }
        } else {
            plain.execute(task);
        }
    }

    private void executeTagged(Runnable task) {
        if (TaskKeys.isCoalescing(task)) {
            Future<?> unused = lanes.coalesce(lanes.tasks(), TaskKeys.key(task), task);
        } else {
            lanes.push(lanes.tasks().lane(TaskKeys.key(task)), task);
        }
    }

    @Override
    <T extends @Nullable Object> TaskFuture<T> future(Object task, @Nullable T result) {
        LaneHandle lane = handleOf(task);
        return TaskFuture.of(lane == null ? kernel.origin() : lane.origin(), lane, task, result);
    }

    @Override
    <T extends @Nullable Object> TaskFuture<T> toBeWrapped(TaskFuture<T> future) {
        LaneHandle lane = future.lane();
        if (lane != null) {
            throw kernel.statistics()
                    .rejected(
                            null,
                            lane,
                            "spindle " + name + " rejected a task of " + lane
                                    + ": a completion service wraps it and hides its key;"
                                    + " give the service the lane of the key as its executor,"
                                    + " keyed(\"tasks\").at(key)");
        }
        return future;
    }

    // ---------------------------------------------------------------- schedule

    @Override
    <T> DelayedTask<T> delay(Object task, long delayNanos, long periodNanos) {
        return DelayedTaskTarget.schedule(lanes, handleOf(task), task, delayNanos, periodNanos);
    }

    private @Nullable LaneHandle handleOf(Object task) {
        Objects.requireNonNull(task, "task");
        return TaskKeys.carriesKey(task) ? new LaneHandle(lanes, lanes.tasks(), TaskKeys.key(task)) : null;
    }

    // ---------------------------------------------------------------- shutdown

    /** Stops accepting tasks, ends pauses and periodic tasks, and runs all accepted tasks. Returns at once. */
    @Override
    public void shutdown() {
        new SpindleClosing(lanes, lowered).shutdown();
    }

    /**
     * Stops accepting tasks, removes all tasks that have not started, cancels their futures, and interrupts running
     * tasks. Cancels open async tasks and, if possible, the stages of these tasks.
     *
     * @return the removed tasks as they were submitted, those of one lane in order. A {@code Callable} or an async task
     *     is represented by its future.
     */
    @Override
    public List<Runnable> shutdownNow() {
        return new SpindleClosing(lanes, lowered).haltNow().tasks();
    }

    /** Returns true if a shutdown has begun. */
    @Override
    public boolean isShutdown() {
        return !lanes.isOpen();
    }

    /** Returns true if the executor has been shut down, no accepted task is left, and all workers have ended. */
    @Override
    public boolean isTerminated() {
        return kernel.terminated().isDone();
    }

    /**
     * Waits until {@link #isTerminated}, at most for {@code timeout}.
     *
     * @return false if the timeout elapsed first
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return awaitEnd(pool, kernel.terminated().forLibrary(), timeout, unit);
    }

    /**
     * Returns a future that completes when this executor has terminated, after any kind of shutdown. Dependents of the
     * future run in the worker that ends last or, if the executor never had a worker, in the thread that shuts down.
     * Completing the future affects nothing else.
     */
    public CompletableFuture<@Nullable Void> terminated() {
        return kernel.terminated().copy();
    }

    /**
     * Shuts down and waits until all accepted tasks have ended. If the calling thread is interrupted, calls
     * {@link #shutdownNow}, continues to wait, and restores the interrupt flag before it returns. With a
     * {@link SpindleBuilder#closeTimeout}, does what {@link #close(Duration)} does with that time, and logs the report
     * if it has halted. A close that has waited for 10 s logs once for what it waits.
     *
     * @throws IllegalStateException if called by a worker of this executor, which would wait for itself
     */
    @Override
    public void close() {
        SpindleClosing closing = new SpindleClosing(lanes, lowered);
        boolean unused = closing.close(closing.refusal(this));
    }

    /**
     * Shuts down and waits until all accepted tasks have ended, at most for {@code timeout}. When the time has passed,
     * does what {@link #shutdownNow} does, and returns at most 1 s later, even if tasks do not react to their
     * interrupt. If the calling thread is interrupted, does the same at once, and restores the interrupt flag before it
     * returns.
     *
     * @return the tasks that have not run, and what still runs; empty if all accepted tasks have ended in time
     * @throws IllegalArgumentException if {@code timeout} is negative
     * @throws IllegalStateException if called by a worker of this executor, which would wait for itself
     */
    public Unfinished<Runnable> close(Duration timeout) {
        long nanos = Durations.requireLimit("timeout", timeout);
        SpindleClosing closing = new SpindleClosing(lanes, lowered);
        return closing.close(closing.refusal(this), nanos);
    }

    Lanes lanes() {
        return lanes;
    }

    @Override
    Pool pool() {
        return pool;
    }

    ExecutorKernel kernel() {
        return kernel;
    }

    /** Returns a string with the name, the state, and the numbers of threads and keys. */
    @Override
    public String toString() {
        return "spindle " + name + "[" + (isTerminated() ? "terminated" : isShutdown() ? "shut down" : "running") + ", "
                + pool.counts().threads() + " threads, " + kernel.table().size() + " keys]";
    }
}
