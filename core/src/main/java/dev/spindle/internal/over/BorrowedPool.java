// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.over;

import dev.spindle.internal.Counters;
import dev.spindle.internal.InternalTask;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.Refusal;
import dev.spindle.internal.TimerQueue;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.LaneCore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A pool that runs each turn as a task of a user's executor, and delays by the JDK's delay thread. */
public final class BorrowedPool extends Pool {
    /*
     * A ready entry is one task of the executor. The thread that runs the task is a worker of this pool until the task
     * ends.
     *
     * BorrowedPool-1  A worker that submits a task to the executor says so (`submits`). If the executor runs the task
     *     at once, in the same thread, the entry joins the list of the outer task, which runs it after its own turn. So
     *     turns nest only as deep as tasks wait for one another, and a turn never runs inside another turn of its lane.
     * BorrowedPool-2  A worker whose entry is refused at the end of a quantum keeps the entry in its list, so the tasks
     *     of a lane run to the end after a shutdown of the executor. A refusal elsewhere withdraws the tasks of the
     *     lane, whose owner is this thread, and gives the lane up; the submitter gets the rejection. While the executor
     *     refuses, each submit asks it again (ensureThread) before anything is accepted.
     * BorrowedPool-3  A timer is covered by an Alarm that is current, or by one that has been current and has not yet
     *     asked for the next time. An adder adds its timer and then reads `alarm`; an alarm gives up being current and
     *     then asks for the next time.
     *
     * Tests: OverExecutorContractTest, OverExecutorStressTest.
     */
    /** The maximum number of contexts that are kept for later turns. Not measured. */
    private static final int MOST_FREE = 64;

    private final PoolConfig config;
    private final TimerQueue timers;
    private final Executor executor;
    private final Set<Borrowed> workers = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedDeque<Borrowed> free = new ConcurrentLinkedDeque<>();
    private final AtomicInteger frees = new AtomicInteger();
    private final ConcurrentHashMap<LaneCore, Thread> refused = new ConcurrentHashMap<>(); // lanes, by what ends them
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicReference<@Nullable Alarm> alarm = new AtomicReference<>();
    private final Counters before = new Counters(); // of workers that are gone; guarded by itself
    private final AtomicBoolean terminated = new AtomicBoolean();
    private volatile boolean refuses; // racy: true from a refusal to the next task that the executor accepts
    private volatile boolean stopping;

    private BorrowedPool(PoolConfig config, TimerQueue timers, Executor executor) {
        this.config = config;
        this.timers = timers;
        this.executor = executor;
    }

    /** Returns a thread factory that makes a spindle run its turns on {@code executor}. */
    public static ThreadFactory on(Executor executor) {
        return new Factory(Objects.requireNonNull(executor, "executor"));
    }

    private record Factory(Executor executor) implements Pool.Factory {
        @Override
        public Pool newPool(PoolConfig config, TimerQueue timers) {
            return new BorrowedPool(config, timers, executor);
        }

        @Override
        public Thread newThread(Runnable task) {
            throw new UnsupportedOperationException("the pool has no threads");
        }
    }

    /** A thread of the executor, while it runs a task of this pool. */
    private static final class Borrowed extends WorkerContext {
        private final ArrayDeque<Object> next = new ArrayDeque<>(); // entries that run after the present one
        private boolean submits;
        private @Nullable WorkerContext outer;

        Borrowed(BorrowedPool pool) {
            super(pool, QUANTUM_NANOS);
        }
    }

    private @Nullable Borrowed current() {
        return WorkerContext.current() instanceof Borrowed worker && worker.scheduler() == this ? worker : null;
    }

    // ---------------------------------------------------------------- entries

    @Override
    public void ready(Object entry) {
        if (!refused.isEmpty() && entry instanceof LaneCore lane && refused.get(lane) == Thread.currentThread()) {
            return; // this thread gives the lane up; another thread may already have pushed to the idle lane
        }
        Borrowed worker = current();
        Throwable refusal = submit(new Task(entry), worker);
        if (refusal != null) {
            refuse(entry, refusal);
        }
    }

    @Override
    public void readyAgain(ReadyEntry entry, WorkerContext worker) {
        Borrowed own = (Borrowed) worker;
        if (submit(new Task(entry), own) != null) {
            own.next.add(entry); // BorrowedPool-2
        }
    }

    /** Submits {@code task} to the executor. Returns what the executor threw, or null. */
    private @Nullable Throwable submit(Task task, @Nullable Borrowed worker) {
        inFlight.incrementAndGet();
        boolean outermost = worker != null && !worker.submits;
        if (worker != null) {
            worker.submits = true; // BorrowedPool-1
        }
        try {
            executor.execute(task);
            if (refuses) {
                refuses = false;
            }
            return null;
        } catch (Throwable t) {
            if (!task.claim()) { // the executor has run the task, and has thrown something of its own
                config.host().troubled(t);
                return null;
            }
            refuses = true;
            ended();
            return t;
        } finally {
            if (worker != null && outermost) {
                worker.submits = false;
            }
        }
    }

    /** Ends an entry that the executor has refused. Throws the rejection of a lane's turn. */
    private void refuse(Object entry, Throwable refusal) {
        if (!(entry instanceof LaneCore lane)) {
            inFlight.incrementAndGet();
            ForkJoinPool.commonPool().execute(new Task(entry)); // a timer, or a task of the library
            return;
        }
        List<Runnable> users = new ArrayList<>();
        Thread self = Thread.currentThread();
        refused.put(lane, self);
        try {
            do {
                users.addAll(lane.cancelPending());
            } while (!lane.endWithoutThread()); // false if another task was pushed; `refused` then keeps it from us
        } finally {
            boolean unused = refused.remove(lane, self); // false if another thread ends the lane by now
        }
        for (Runnable task : users.subList(Math.min(1, users.size()), users.size())) {
            failed(lane, task, refusal);
        }
        throw new Refusal("the executor of " + name() + " rejected a task of " + lane + ": " + refusal, refusal, () -> {
            if (!users.isEmpty()) {
                failed(lane, users.get(0), refusal);
            }
        });
    }

    /** A task of the executor. */
    private final class Task extends AtomicBoolean implements Runnable {
        private static final long serialVersionUID = 1;

        private final transient Object entry;

        Task(Object entry) {
            this.entry = entry;
        }

        /** Returns true once: the entry runs once, even if the executor runs this task twice, or refuses it late. */
        boolean claim() {
            return compareAndSet(false, true);
        }

        @Override
        public void run() {
            if (!claim()) {
                return;
            }
            Borrowed outer = current();
            try {
                if (outer != null && outer.submits) {
                    outer.next.add(entry); // BorrowedPool-1
                } else {
                    BorrowedPool.this.run(entry);
                }
            } finally {
                ended();
            }
        }

        @Override
        public String toString() {
            return entry.toString();
        }
    }

    /** Runs {@code entry} on the calling thread, and then the entries that the executor has run in this thread. */
    private void run(Object entry) {
        WorkerContext outer = WorkerContext.current();
        Borrowed worker = take();
        worker.outer = outer;
        worker.bind();
        try {
            for (Object next = entry; next != null; next = worker.next.poll()) {
                worker.execute(next);
            }
        } finally {
            worker.outer = null;
            worker.unbind();
            if (outer != null) {
                outer.bind();
            }
            give(worker);
        }
    }

    private Borrowed take() {
        Borrowed known = free.poll();
        if (known != null) {
            frees.decrementAndGet();
            return known;
        }
        Borrowed fresh = new Borrowed(this);
        workers.add(fresh);
        return fresh;
    }

    private void give(Borrowed worker) {
        if (frees.incrementAndGet() <= MOST_FREE) {
            free.push(worker);
            return;
        }
        frees.decrementAndGet();
        synchronized (before) {
            before.addAll(worker);
            workers.remove(worker);
        }
    }

    private void ended() {
        if (inFlight.decrementAndGet() == 0 && stopping) {
            tryTerminate();
        }
    }

    /** Runs the entries that wait for the end of the calling task, which is about to wait. */
    @Override
    public void beginBlocking() {
        Borrowed worker = current();
        if (worker == null) {
            return;
        }
        for (Object next = worker.next.poll(); next != null; next = worker.next.poll()) {
            run(next);
        }
        announce(worker, true);
    }

    @Override
    public void endBlocking() {
        Borrowed worker = current();
        if (worker != null) {
            announce(worker, false);
        }
    }

    /** Announces the begin or end of a wait to the pool of the executor, if its thread is a worker as well. */
    private static void announce(Borrowed worker, boolean begins) {
        WorkerContext outer = worker.outer;
        if (outer == null) {
            return;
        }
        outer.bind();
        try {
            if (begins) {
                outer.beginBlocking();
            } else {
                outer.endBlocking();
            }
        } finally {
            worker.bind();
        }
    }

    /** Returns true unless the executor refuses tasks now. */
    @Override
    public boolean ensureThread() {
        if (executor instanceof ExecutorService service && service.isShutdown()) {
            return false;
        }
        if (!refuses) {
            return true;
        }
        Borrowed worker = current();
        return submit(new Task(new Probe()), worker) == null;
    }

    /** Does nothing. */
    private static final class Probe extends InternalTask {
        @Override
        public void run() {}
    }

    @Override
    public boolean hasReady() {
        return true; // the executor may have other tasks, so a turn ends after its quantum
    }

    // ---------------------------------------------------------------- timers

    @Override
    public boolean timerAdded(Added added) {
        if (added != Added.LATER && (added == Added.EARLIER || alarm.get() == null)) {
            setAlarm();
        }
        return true;
    }

    private void setAlarm() {
        long wait = timers.untilNext(nanoTime());
        if (wait != Long.MAX_VALUE) {
            Alarm next = new Alarm();
            alarm.set(next);
            CompletableFuture.delayedExecutor(wait, TimeUnit.NANOSECONDS, next).execute(next);
        }
    }

    /** Fires the timers. The JDK's delay thread hands an alarm to the executor. */
    private final class Alarm extends InternalTask implements Executor {
        /** Called by the delay thread. */
        @Override
        public void execute(Runnable self) {
            Throwable refusal = submit(new Task(this), null);
            if (refusal != null) {
                refuse(this, refusal);
            }
        }

        @Override
        public void run() {
            timers.fire(nanoTime(), BorrowedPool.this);
            if (alarm.compareAndSet(this, null)) { // BorrowedPool-3
                setAlarm();
            }
        }
    }

    @Override
    public long nanoTime() {
        LongSupplier clock = config.clock();
        return clock.getAsLong();
    }

    @Override
    public long recentNanos() {
        return nanoTime();
    }

    // ---------------------------------------------------------------- end

    @Override
    public void stop() {
        stopping = true;
        tryTerminate();
    }

    @Override
    public void tryTerminate() {
        if (!stopping || terminated.get()) {
            return;
        }
        long look = lifetime().look(); // before the check that no task is left (Lifetime-1)
        if (inFlight.get() != 0 || !config.host().isQuiescent() || !lifetime().isFree()) {
            return;
        }
        InternalTask last = lifetime().callLast();
        if (last != null) {
            ready(last);
        } else if (lifetime().end(look) && terminated.compareAndSet(false, true)) {
            config.host().terminated();
        }
    }

    // ---------------------------------------------------------------- the rest

    @Override
    public PoolConfig.Host host() {
        return config.host();
    }

    @Override
    public String name() {
        return config.name();
    }

    @Override
    public void failed(@Nullable Object party, Runnable task, Throwable failure) {
        config.host().taskFailed(party, task, failure);
    }

    /** Returns null: the executor keeps its tasks. */
    @Override
    public @Nullable Object removeFirst(Predicate<Object> wanted) {
        return null;
    }

    @Override
    public List<Object> removeAll(Predicate<Object> wanted) {
        return List.of();
    }

    @Override
    public void forEachWorker(Consumer<WorkerContext> action) {
        workers.forEach(action);
    }

    /** Does nothing: a thread of the executor may run another's task by now. Strands interrupt their own turns. */
    @Override
    public void interruptAll() {}

    @Override
    public int maxThreads() {
        return config.max();
    }

    @Override
    public long estimatedPlain() {
        return 0;
    }

    @Override
    public Counts counts() {
        Counters all = new Counters();
        synchronized (before) {
            all.addAll(before);
            workers.forEach(all::addAll);
        }
        int running = Math.max(0, workers.size() - frees.get());
        return new Counts(running, running, 0, 0, Math.max(0, inFlight.get() - running), all, 0, 0);
    }
}
