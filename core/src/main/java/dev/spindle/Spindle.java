// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.ContextCarrier;
import dev.spindle.internal.Durations;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.InternalTask;
import dev.spindle.internal.OrderedSet;
import dev.spindle.internal.PartLimit;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.lane.LaneTable;
import dev.spindle.internal.limit.CountedPermits;
import dev.spindle.internal.pool.WorkerPool;
import dev.spindle.internal.timer.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One elastic pool of few threads that runs plain tasks, tasks in order per key, and tasks of which only the latest of
 * a key is needed. A {@link ScheduledExecutorService} in full.
 *
 * <pre>{@code
 * try (Spindle spindle = Spindle.create()) {
 *     Keyed<String> accounts = spindle.keyed();
 *     accounts.execute("alice", () -> book(debit));     // in order for alice,
 *     accounts.execute("bob", () -> book(credit));      // beside whatever bob does
 *     accounts.coalesce("alice", () -> redraw("alice")); // the latest only
 * }
 * }</pre>
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread, tasks included.
 *
 * <p><b>Order and fairness.</b> Tasks of one key run one at a time in the order of their submits; of plain tasks
 * nothing is promised. Ready lanes and plain tasks are served in one order, oldest first; a lane runs at most 32 tasks
 * or about 200 µs before it lets others have their turn.
 *
 * <p><b>Threads.</b> At most {@link SpindleBuilder#max}. More than {@link SpindleBuilder#core} only while work is ready
 * and some workers wait, as they say through {@link Blocking} or a future of this project, or as the pool finds by what
 * they do, or while no task finishes; they end after the keep-alive. No thread wakes while nothing is to do.
 *
 * <p><b>Waiting.</b> Submits do not block, but where {@link OnFull#block} is chosen. A task that waits for a future of
 * its own lane gets an {@link IllegalStateException}, and so, as far as it can be seen, does one that closes a cycle of
 * waits.
 *
 * <p><b>Rejection.</b> A submit is accepted, or throws {@link RejectedExecutionException}; a coalescing task may also
 * be superseded. Nothing accepted is lost.
 *
 * <p><b>Memory consistency effects.</b> Actions in a thread before it submits a task happen-before the task; each turn
 * of a lane happens-before the next turn of that lane; a task happens-before the completion of its future.
 *
 * <p><b>Closing.</b> {@link #shutdown} runs all that was accepted, delayed tasks included, and ends all pauses and
 * periodic tasks. {@link #close} waits for that.
 */
public final class Spindle extends TaskService implements AutoCloseable {
    private static final long QUANTUM_NANOS = 200_000;

    /** Why a submit is rejected when no thread exists and none can be had. */
    private static final String NO_THREAD = "has no worker thread and could not start one";

    private final String name;
    private final FailureReport failures;
    private final @Nullable ContextHook context;
    private final @Nullable Bounds bounds;
    private final Timers timers;
    private final Timers.Group ownTimers = new Timers.Group(); // of no strand and no logical executor
    private final Pool pool;
    private final LaneTable table;
    private final Lanes lanes;
    private final PlainTasks plain;
    private final LogicalExecutors executors;
    private final long sweepNanos;
    private final CompletableFuture<@Nullable Void> terminated = new CompletableFuture<>();
    private final AtomicBoolean lowered = new AtomicBoolean();
    private final OrderedSet<Strand> hooked = new OrderedSet<>(); // strands with shutdown hooks that have not run
    private final AwaitedStrands awaited = new AwaitedStrands();
    private final Statistics statistics;

    Spindle(SpindleBuilder options, String name, int core, int max, ThreadFactory threads) {
        this.name = name;
        failures = new FailureReport(name, options.onFailure);
        context = options.context;
        sweepNanos = Math.max(1, Durations.toNanos(options.linger) / 2);
        NanoClock clock = options.clock;
        timers = new Timers(clock.nanoTime());
        Host host = new Host();
        pool = WorkerPool.create(
                new PoolConfig(
                        name,
                        core,
                        options.core == 0,
                        max,
                        Durations.toNanos(options.keepAlive),
                        options.coreBumpAfter,
                        QUANTUM_NANOS,
                        threads,
                        options.auxiliaryThreadFactory,
                        options.waitStrategy != WaitStrategy.PARK,
                        options.waitStrategy != WaitStrategy.SPIN,
                        clock instanceof SystemClock system ? system : new Clock(clock),
                        host),
                timers);
        VarHandleWarmup.run(pool);
        int idleLimit =
                (int) Math.max(16_384, Math.min(1 << 22, Runtime.getRuntime().maxMemory() / 2048));
        LaneOwner owner = new LaneOwner(this, options.capacityPerKey);
        table = new LaneTable(pool, owner, idleLimit, owner, host);
        statistics = new Statistics(name, max, pool, table);
        bounds = options.capacity == 0 && options.capacityPerKey == 0
                ? null
                : new Bounds(pool, options.capacity, options.capacityPerKey, options.onFull, this::reportDropped);
        lanes = new Lanes(this, pool, table, context, bounds);
        plain = new PlainTasks(this, pool, lanes, context, bounds);
        executors = new LogicalExecutors(this, max);
    }

    /** Returns a new executor with the defaults: as many workers as processors, and one more for each that waits. */
    public static Spindle create() {
        return builder().build();
    }

    /** Returns a builder for a new executor. */
    public static SpindleBuilder builder() {
        return new SpindleBuilder();
    }

    // ---------------------------------------------------------------- views

    /**
     * Returns the key space without a name: one and the same for all callers of this method, and for {@link
     * SequentialTask}s and {@link CoalescingTask}s. Parts of a program that know nothing of each other use {@link
     * #keyed(String)}.
     */
    public <K> Keyed<K> keyed() {
        return new Keyed<>(this, null);
    }

    /**
     * Returns the key space of that name: the same for the same name. Keys of different spaces never share a lane, even
     * when they are equal; apart from that a key of a named space is like any other. Takes constant time, and the space
     * itself costs nothing however many there are: what is kept are lanes.
     *
     * @throws NullPointerException if {@code space} is null
     * @throws IllegalArgumentException if {@code space} is blank
     */
    public <K> Keyed<K> keyed(String space) {
        if (Objects.requireNonNull(space, "space").isBlank()) {
            throw new IllegalArgumentException("space must have a name that is not blank, is \"" + space
                    + "\"; the one without a name is keyed()");
        }
        return new Keyed<>(this, space);
    }

    /**
     * Returns a new lane of its own, to stand where a program has an {@code Executors.newSingleThreadExecutor()}. The
     * name is for messages; two strands of one name are two lanes.
     */
    public Strand strand(String name) {
        return Strand.builder(name).on(this).build();
    }

    /** Returns a builder for an executor of its own on these threads, with limits and a shutdown of its own. */
    public LogicalExecutorBuilder executor(String name) {
        return new LogicalExecutorBuilder(executors, name);
    }

    /** Returns the clock by which delays, linger and waiting limits of this executor are measured. */
    public NanoClock clock() {
        return pool::nanoTime;
    }

    /** Returns counts of now. */
    public SpindleStats stats() {
        return statistics.read(executors, failures);
    }

    /**
     * Returns pictures of the {@code n} lanes that are busy longest, the longest first: whose oldest task has waited
     * longest, whose turn has lasted longest, or whose async task has been open longest, even if nothing waits behind
     * it. Keys of all spaces, and strands.
     * Takes time in proportion to all lanes.
     *
     * @throws IllegalArgumentException if {@code n} is negative
     */
    public List<LaneSnapshot> busiest(int n) {
        return lanes.busiest(n, key -> true);
    }

    /**
     * Returns the waits of now, the longest first: those of tasks for each other's futures, of lanes for the stages of
     * async tasks, for room at bounds, in mailboxes, pipelines and coalescers on these threads, and for room and values
     * at channels where a task of this spindle has waited or a strand consumes. {@link WaitEdge} says what is in it.
     * Takes time in proportion to all lanes, actors, such channels and waits; others pay for it when they begin to
     * wait, and nothing else. Not a picture of one moment: a cycle that it shows may just have been broken.
     */
    public List<WaitEdge> waits() {
        return statistics.waits(executors, bounds);
    }

    // ---------------------------------------------------------------- submit

    /**
     * Runs {@code task} at some time to come; a {@link SequentialTask} or {@link CoalescingTask} in the lane of its
     * key.
     *
     * @throws NullPointerException if {@code task}, or the key it carries, is null
     * @throws RejectedExecutionException after a shutdown, at a bound, or when there is no thread and none can be
     *     started
     */
    @Override
    public void execute(Runnable task) {
        Objects.requireNonNull(task, "task");
        TaskFuture<?> future = task instanceof TaskFuture<?> f ? f : null;
        LaneHandle lane = future == null ? null : future.lane();
        if (TaskKeys.carriesKey(task)) {
            executeTagged(task);
        } else if (future != null && lane != null) {
            Object key = lane.rawKey();
            if (TaskKeys.isCoalescing(future.user())) {
                lanes.coalesce(key, future);
            } else {
                lanes.push(lanes.lane(key), key, future);
            }
        } else {
            plain.execute(task);
        }
    }

    private void executeTagged(Runnable task) {
        Object key = TaskKeys.key(task);
        if (TaskKeys.isCoalescing(task)) {
            lanes.coalesce(lanes.lane(key), key, null, task);
        } else {
            lanes.push(lanes.lane(key), key, task);
        }
    }

    @Override
    <T extends @Nullable Object> TaskFuture<T> future(Object task, @Nullable T result) {
        return new TaskFuture<>(pool, handleOf(task), task, result);
    }

    @Override
    <T extends @Nullable Object> TaskFuture<T> toBeWrapped(TaskFuture<T> future) {
        LaneHandle lane = future.lane();
        if (lane != null) {
            throw statistics.rejected(
                    null,
                    lane.rawKey(),
                    "spindle " + name + " rejected a task of " + lane
                            + ": a completion service wraps it, so that its key"
                            + " is not seen; give it the lane of the key as its executor, keyed().at(key)");
        }
        return future;
    }

    // ---------------------------------------------------------------- schedule

    @Override
    <T> DelayedTask<T> delay(Object task, long delayNanos, long periodNanos) {
        return delay(handleOf(task), task, null, delayNanos, periodNanos);
    }

    /** Schedules {@code user} for {@code lane}, or as a plain task. */
    <T> DelayedTask<T> delay(
            @Nullable LaneHandle lane, Object user, @Nullable T result, long delayNanos, long periodNanos) {
        return DelayedTaskTarget.schedule(this, lane, user, result, delayNanos, periodNanos);
    }

    private @Nullable LaneHandle handleOf(Object task) {
        Objects.requireNonNull(task, "task");
        return TaskKeys.carriesKey(task) ? new LaneHandle(this, TaskKeys.key(task)) : null;
    }

    // ---------------------------------------------------------------- shutdown

    /** Accepts nothing more, ends pauses and periodic tasks, and runs everything that was accepted. Returns at once. */
    @Override
    public void shutdown() {
        Headroom.require();
        beginShutdown();
        pool.lifetime().shut(false);
        pool.lifetime().tell();
        close(false);
        closeHooked();
    }

    /**
     * Accepts nothing more, takes away everything that has not started, cancels the futures, and interrupts the tasks
     * that run. Open async tasks are cancelled, and their stages with them where these let it be done.
     *
     * @return the tasks as they were handed in; those of one lane in their order. A {@code Callable} or an async task
     *     is represented by its future.
     */
    @Override
    public List<Runnable> shutdownNow() {
        Headroom.require();
        beginShutdown();
        pool.halt();
        List<Runnable> tasks = new ArrayList<>();
        takeAll(tasks); // before closing, which lets paused lanes go on
        tasks.addAll(close(true));
        takeAll(tasks); // what submits that raced with this have still brought
        pool.interruptAll();
        lanes.haltOpen(); // after what waited behind them was taken, and the interrupts: it runs what depends on them
        closeHooked(); // after the interrupts, which are not meant for hooks
        pool.tryTerminate();
        return tasks;
    }

    private void closeHooked() {
        for (Strand strand : hooked.inOrder()) {
            strand.closeWithSpindle();
        }
    }

    /** Accepts nothing more, and refuses all that wait at a bound. (A lane made later finds the spindle shut down.) */
    private void beginShutdown() {
        lanes.shut();
        executors.shutdown();
        refuseShut();
        for (LaneCore lane : table.lanes()) {
            CountedPermits places = lane.places();
            if (places != null) {
                places.refuse();
            }
        }
    }

    private void takeAll(List<Runnable> to) {
        for (Object entry : pool.removeAll(Spindle::isPlainOfUser)) {
            statistics.withdrawn(1);
            to.add(CancellableEntry.withdraw((Runnable) entry));
        }
        to.addAll(table.cancelAll());
        executors.takeAll(to);
    }

    private static boolean isPlainOfUser(Object entry) {
        return ReadyEntry.of(entry) == null && !(entry instanceof InternalTask);
    }

    /**
     * Cancels periodic or all delayed tasks, and lets lanes and workers end. Returns the tasks of the cancelled ones.
     */
    private List<Runnable> close(boolean all) {
        List<Runnable> tasks = new ArrayList<>();
        timers.end(null, all, tasks);
        if (lowered.compareAndSet(false, true) || all) {
            table.closeAll();
        }
        pool.stop();
        return tasks;
    }

    /** Returns whether a shutdown has begun. */
    @Override
    public boolean isShutdown() {
        return !isOpen();
    }

    boolean isOpen() {
        return lanes.isOpen();
    }

    /** Returns whether nothing runs or is queued, no async task is open, and all threads have ended their work. */
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
        return awaitEnd(pool, terminated, timeout, unit);
    }

    /**
     * Shuts down and waits until everything accepted has ended. An interrupt turns it into {@link #shutdownNow}, after
     * which it still waits, and stays set.
     *
     * @throws IllegalStateException if called by a worker of this executor, which would wait for itself
     */
    @Override
    public void close() {
        WorkerContext worker = WorkerContext.current();
        boolean own = (worker != null && worker.scheduler() == pool) || CallerRun.isOf(this);
        ExecutorCloser.close(this, "spindle " + name, own);
    }

    // ---------------------------------------------------------------- for the classes around

    Lanes lanes() {
        return lanes;
    }

    @Override
    Pool pool() {
        return pool;
    }

    @Nullable
    ContextHook context() {
        return context;
    }

    @Nullable
    Bounds bounds() {
        return bounds;
    }

    Timers timers() {
        return timers;
    }

    Timers.Group ownTimers() {
        return ownTimers;
    }

    Statistics statistics() {
        return statistics;
    }

    CompletableFuture<@Nullable Void> terminated() {
        return terminated;
    }

    /** Refuses all that wait for a place in the spindle for something which has been shut down. */
    void refuseShut() {
        if (bounds != null) {
            bounds.refuse();
        }
    }

    /** Has a shutdown reach {@code strand}, and wait for it. */
    void keepForHooks(Strand strand) {
        hooked.add(strand);
    }

    /** Ends {@link #keepForHooks}; {@link #tryTerminate} is to follow, outside every lock. */
    void forget(Strand strand) {
        boolean unused = hooked.remove(strand);
    }

    AwaitedStrands awaited() {
        return awaited;
    }

    void tryTerminate() {
        if (!isOpen()) {
            pool.tryTerminate();
        }
    }

    /** Returns the bounds of a strand with a capacity of its own. */
    Bounds strandBounds(int capacity, OnFull onFull) {
        return bounds == null
                ? new Bounds(pool, 0, capacity, onFull, this::reportDropped)
                : bounds.forStrand(capacity, onFull);
    }

    /** Returns why there is no thread, to be told with a rejection. */
    @Nullable
    String noThread() {
        return isOpen() ? NO_THREAD : null;
    }

    /** Counts and makes a rejection; {@code why} is null for the state of the executor itself. */
    RejectedExecutionException rejected(@Nullable Object key, @Nullable String why) {
        Strand strand = Lanes.strandOf(key);
        boolean ofStrand = strand != null && (why != null || isOpen());
        String who = strand != null && ofStrand ? "strand " + strand.key() + " of spindle " + name : "spindle " + name;
        boolean shut = ofStrand || isShutdown();
        String condition = why != null ? why : isTerminated() ? "is terminated" : shut ? "is shut down" : "is running";
        String what = key == null ? "plain task" : "task of " + Lanes.describe(key);
        return statistics.rejected(null, key, who + " " + condition + " and rejected a " + what);
    }

    private void laneDied(LaneCore lane) {
        Strand strand = Lanes.strandOf(lane.key());
        if (strand != null) {
            strand.laneDied();
        }
        if (!isOpen() && table.isEmpty()) {
            pool.tryTerminate();
        }
    }

    void armSweep() {
        if (isOpen()) {
            timers.add(new Sweep(), pool.nanoTime() + sweepNanos, pool);
        }
    }

    void reportDropped(@Nullable Object key, Runnable task, String bound) {
        statistics.dropped();
        failures.dropped(key, task, bound);
    }

    /** Returns a string with the name, the state, and the numbers of threads and keys. */
    @Override
    public String toString() {
        return "spindle " + name + "[" + (isTerminated() ? "terminated" : isShutdown() ? "shut down" : "running") + ", "
                + pool.counts().threads() + " threads, " + table.size() + " keys]";
    }

    /** Makes a worker look for keys that have been idle long enough. */
    private final class Sweep extends Timers.Timer {
        Sweep() {
            super(ownTimers);
        }

        @Override
        public void turn(WorkerContext r) {
            if (!table.sweep()) {
                pool.ready(this); // the rest after what else is ready
            }
        }
    }

    private record Clock(NanoClock clock) implements LongSupplier {
        @Override
        public long getAsLong() {
            return clock.nanoTime();
        }
    }

    private final class Host implements PoolConfig.Host, Consumer<LaneCore> {
        @Override
        public void accept(LaneCore died) {
            laneDied(died);
        }

        @Override
        public void taskFailed(@Nullable Object key, Runnable task, Throwable failure) {
            failures.task(key, task, failure);
        }

        @Override
        public void prepare() {
            FailureReport.prepare();
        }

        @Override
        public @Nullable ContextCarrier contexts() {
            return context == null ? null : new ContextTask.Carrier(context);
        }

        @Override
        public PartLimit limit(long nanos, Runnable action, @Nullable Runnable atShutdown) {
            return PartTimer.set(Spindle.this, nanos, action, atShutdown);
        }

        @Override
        public void threadFailed(Throwable failure) {
            failures.thread(failure);
        }

        @Override
        public boolean isAsyncOpen() {
            return table.lanes().stream().anyMatch(LaneCore::isAsyncOpen);
        }

        @Override
        public boolean isQuiescent() {
            return table.isEmpty() && executors.isEmpty() && hooked.isEmpty();
        }

        @Override
        public void terminated() {
            terminated.complete(null);
            awaited.tell();
        }
    }
}
