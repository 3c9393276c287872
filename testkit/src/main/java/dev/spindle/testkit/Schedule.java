// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import dev.spindle.internal.CallersSimulation;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.TimerQueue;
import dev.spindle.internal.WorkerContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The ready entries, the waits and the threads of a simulation, one of which runs at a time. */
final class Schedule {
    /*
     * The threads of a simulation are those of its tasks and that of the test. At any time exactly one of them runs:
     * `running`. When its turn ends or it begins to wait, it calls next(), which returns a ready entry or a wait that
     * is over. To pass control, the thread wakes the waiting thread, or hands the entry to a thread without a turn. So
     * a waiting task blocks no other task.
     *
     * field                    writers              readers   mode
     * ready, limits, waits     all                  all       under `lock`, since foreign threads may add entries
     * idle, foreign, alone     all                  all       under `lock`
     * running                  the running thread   all       volatile
     * lent                     the test's, next()   all       under `lock`
     * the rest                 the running thread   same      plain: ordered by the passing of control
     *
     * Schedule-1  At most one thread of a simulation runs: a thread that has passed control stands still until it is
     *     called, or has no turn. If the running task is blocked by a lock, look() passes control to the holder of the
     *     lock and stores the blocked thread in `lent`; next() then returns control to this thread. When the holder
     *     releases the lock, the blocked task continues before that, up to its next awaitControl().
     * Schedule-2  The running thread makes all random choices. No choice depends on an identity hash code or on real
     *     time, except at a dead end with foreign threads (awaitOthers()). So one seed gives one run.
     * Schedule-3  While a thread stands still, a call of the test is open (`calls`), so next() can always return a
     *     wait.
     */
    private static final int MOST_STEPS = 10_000_000;

    /** The maximum real time for which a simulation waits for foreign threads. */
    private static final long OTHERS_NANOS = 5_000_000_000L;

    /**
     * The same without a sign of foreign threads. A thread that has ended an async task adds the next entry of the lane
     * a moment after the task has ended.
     */
    private static final long MOMENT_NANOS = 50_000_000;

    /** The result of next() if control returns to a thread that was blocked by a lock. */
    private static final Object LENT = new Object();

    private final SteppedPool pool;
    private final PoolConfig.Host host;
    private final TimerQueue timers;
    private final ManualClock clock;
    private final Order order;
    private final Thread owner = SimulatedThread.root(Thread.currentThread());
    private final Object lock = new Object();
    private final List<Ready> ready = new ArrayList<>();
    private final List<Ready> limits = new ArrayList<>(); // the ready entries that act on a time limit
    private final List<Wait> waits = new ArrayList<>(); // in the order in which they began
    private final ArrayDeque<SimulatedThread> idle = new ArrayDeque<>();
    private final List<WorkerContext> workers = new ArrayList<>(); // one for each turn that is or was open
    private final ArrayDeque<WorkerContext> freeWorkers = new ArrayDeque<>();
    private final List<SimulatedThread> turns = new ArrayList<>(); // the open turns
    private final ArrayDeque<Wait> calls = new ArrayDeque<>(); // calls of the test, the innermost last
    private volatile Thread running = owner;
    private @Nullable Thread lent;
    private boolean foreign; // true if a foreign thread has added an entry
    private boolean alone; // true if a wait for foreign threads has timed out and none has added an entry since then
    private long steps;

    /** @param limit true if the entry acts on a time limit, and comes first once the clock has advanced */
    private record Ready(Object entry, boolean limit, long since) {}

    /** A worker whose turns may yield after each task, and after each step of a long task. */
    private final class HurriedWorker extends WorkerContext {
        HurriedWorker() {
            super(pool, 0);
        }

        @Override
        public boolean isHurried() {
            if (!super.isHurried() && order.yields()) {
                hurry(); // later calls return true until the turn yields or reads the clock
            }
            return super.isHurried();
        }
    }

    Schedule(SteppedPool pool, PoolConfig.Host host, TimerQueue timers, ManualClock clock, Order order) {
        this.pool = pool;
        this.host = host;
        this.timers = timers;
        this.clock = clock;
        this.order = order;
        clock.beforeAdvance(this::timePasses);
    }

    /** Makes this simulation handle the waits and random choices of the calling thread. */
    void addToThread() {
        CallersSimulation.add(pool);
    }

    /** Returns the thread of the test. */
    Thread owner() {
        return owner;
    }

    /** Returns true if the calling thread belongs to this simulation or to another simulation of the same test. */
    boolean isOwn() {
        return SimulatedThread.root(Thread.currentThread()) == owner;
    }

    /** Returns the number of entries that have run and waits that have ended. */
    long steps() {
        return steps;
    }

    /** Returns the threads with open turns. At most one of them runs, and the others wait. */
    List<SimulatedThread> turns() {
        return turns;
    }

    List<WorkerContext> workers() {
        return List.copyOf(workers);
    }

    // ---------------------------------------------------------------- ready entries

    /** Adds a ready entry. {@code limit} is true if the entry acts on a time limit. */
    void add(Object entry, boolean limit) {
        synchronized (lock) {
            add(new Ready(entry, limit, clock.nanoTime()));
            if (!isOwn()) {
                foreign = true;
                alone = false;
                lock.notifyAll();
            }
        }
    }

    private void add(Ready entry) {
        ready.add(entry);
        if (entry.limit()) {
            limits.add(entry);
        }
    }

    private Object remove(int index) {
        Ready removed = ready.remove(index);
        if (removed.limit()) {
            limits.remove(removed);
        }
        return removed.entry();
    }

    int size() {
        synchronized (lock) {
            return ready.size();
        }
    }

    /** Returns true if something other than the current turn can run. */
    boolean othersCanRun() {
        synchronized (lock) {
            listWaits(clock.nanoTime());
            return !ready.isEmpty();
        }
    }

    /** Returns true if the wait of the open call of the test is over. */
    boolean isCallOver() {
        Wait call = calls.peekLast();
        return call != null && !call.leaves() && call.isOver();
    }

    /** Returns the number of entries that {@code counted} accepts. */
    long count(Predicate<Object> counted) {
        synchronized (lock) {
            return ready.stream().filter(entry -> isWanted(entry, counted)).count();
        }
    }

    /** Implements {@link Pool#removeFirst}. */
    @Nullable
    Object removeFirst(Predicate<Object> wanted) {
        synchronized (lock) {
            for (int i = 0; i < ready.size(); i++) {
                if (isWanted(ready.get(i), wanted)) {
                    return remove(i);
                }
            }
            return null;
        }
    }

    /** Implements {@link Pool#removeAll}. */
    List<Object> removeAll(Predicate<Object> wanted) {
        synchronized (lock) {
            List<Object> removed = new ArrayList<>();
            for (Ready entry : ready) {
                if (isWanted(entry, wanted)) {
                    removed.add(entry.entry());
                }
            }
            ready.removeIf(entry -> isWanted(entry, wanted));
            limits.removeIf(entry -> isWanted(entry, wanted));
            return removed;
        }
    }

    private static boolean isWanted(Ready entry, Predicate<Object> wanted) {
        return !(entry.entry() instanceof Wait) && wanted.test(entry.entry());
    }

    // ---------------------------------------------------------------- passing control

    /** Passes control to other threads until {@code wait} is over. */
    void park(Wait wait) {
        awaitControl();
        synchronized (lock) {
            waits.add(wait);
        }
        if (wait.task() == null) {
            calls.addLast(wait);
        }
        try {
            Object next = next();
            if (next != wait) {
                pass(next);
                wait.standStill();
            }
        } finally {
            forget(wait);
        }
        wait.requireSuccess();
    }

    private void forget(Wait wait) {
        synchronized (lock) {
            waits.remove(wait);
        }
        if (wait.task() == null) {
            calls.remove(wait);
        }
    }

    private void pass(Object next) {
        if (next instanceof Wait wait) {
            running = wait.thread();
            wait.call();
        } else if (next != LENT) {
            handOver(next);
        }
    }

    private void handOver(Object entry) {
        SimulatedThread thread;
        synchronized (lock) {
            thread = idle.pollLast(); // forget() now returns false, so the thread does not end before it has the entry
            if (thread != null) {
                running = thread;
                thread.hand(entry);
            }
        }
        if (thread == null) {
            thread = new SimulatedThread(this, pool.name(), owner);
            running = thread;
            thread.hand(entry);
            thread.start();
        }
    }

    /** Returns true if a thread whose turn has ended must pass control, since {@code next} is no entry. */
    boolean isEndOfRound(Object next) {
        return next instanceof Wait || next == LENT;
    }

    /** Keeps the calling thread, whose turn has ended, for a later turn, and passes control. */
    void rest(SimulatedThread thread, Object next) {
        synchronized (lock) {
            idle.addLast(thread);
        }
        pass(next);
    }

    /** Removes an idle thread that ends. Returns false if the thread has been given an entry and must not end. */
    boolean forget(SimulatedThread thread) {
        synchronized (lock) {
            return idle.remove(thread);
        }
    }

    /** Runs an entry in a turn of {@code thread}, and returns the result of next(). */
    Object turn(SimulatedThread thread, Object entry) {
        WorkerContext worker = freeWorkers.pollLast();
        if (worker == null) {
            worker = new HurriedWorker();
            workers.add(worker);
        }
        turns.add(thread);
        thread.beginTurn(worker, steps, clock.nanoTime());
        worker.bind();
        try {
            worker.execute(entry);
        } catch (Throwable t) {
            failCall(t);
        } finally {
            awaitControl();
            worker.unbind();
            thread.endTurn();
            turns.remove(thread);
            freeWorkers.addLast(worker);
        }
        try {
            return next();
        } catch (Throwable t) {
            failCall(t);
            return calls.getLast();
        }
    }

    /** Records an exception that reaches the uncaught-exception handler of a thread of the simulation. */
    void uncaught(Throwable failure) {
        boolean unused = pool.noteFailure(failure);
    }

    /** Makes the open call of the test throw {@code thrown}, an exception of the library. */
    private void failCall(Throwable thrown) {
        Wait call = calls.peekLast();
        if (call != null) {
            call.failWith(thrown);
        }
    }

    // ---------------------------------------------------------------- what runs next

    /** Returns the next entry to run, a wait that is over, or {@link #LENT}. */
    private Object next() {
        if (isLent()) { // Schedule-1
            return LENT;
        }
        Wait call = calls.getLast(); // Schedule-3
        for (; ; ) {
            timers.fire(clock.nanoTime(), pool);
            pool.lookForStuck(clock.nanoTime());
            pool.tryTerminate();
            if (call.isOver()) {
                return call;
            }
            if (call.countStep() > MOST_STEPS) {
                call.fail(new IllegalStateException("spindle " + pool.name() + " is simulated, and still busy after "
                        + MOST_STEPS + " steps: does a task resubmit itself endlessly? Use step(), or advance() for"
                        + " periodic tasks"));
                return call;
            }
            Object next = take();
            if (next != null) {
                steps++;
                return next;
            }
            next = whenIdle(call);
            if (next != null) {
                return next;
            }
        }
    }

    private @Nullable Object take() {
        synchronized (lock) {
            long now = clock.nanoTime();
            listWaits(now);
            return ready.isEmpty() ? null : remove(choose(now));
        }
    }

    /**
     * Adds to the ready entries the waits of tasks that are over or whose time has passed. The caller holds the lock.
     */
    private void listWaits(long now) {
        for (Wait wait : waits) {
            if (wait.task() != null && !wait.isListed() && (wait.isOver() || wait.isDue(now))) {
                wait.list();
                add(new Ready(wait, wait.isLimited() && wait.left(now) == 0, now));
            }
        }
    }

    /**
     * Returns the index of the next entry. An entry that acts on a time limit comes first if the clock has advanced
     * since the entry became ready.
     */
    private int choose(long now) {
        for (Ready limit : limits) {
            if (now - limit.since() > 0) {
                return ready.indexOf(limit);
            }
        }
        return order.next(ready.size()); // Schedule-2
    }

    /** Called when no entry is ready. Returns a wait that ends; null if next() must check again for ready entries. */
    private @Nullable Object whenIdle(Wait call) {
        long now = clock.nanoTime();
        if (call.isOverWhenIdle(now)) {
            return call;
        }
        long until = timers.untilNext(now);
        synchronized (lock) {
            for (int i = waits.size() - 1; i >= 0; i--) {
                Wait wait = waits.get(i);
                if (wait.task() != null && wait.isOverWhenIdle(now)) {
                    return wait;
                }
                until = Math.min(until, wait.left(now));
            }
        }
        if (until != Long.MAX_VALUE) {
            clock.advance(until);
            return null;
        }
        return deadEnd(call);
    }

    private void timePasses(long nanos) {
        long until = clock.nanoTime() + nanos;
        synchronized (lock) {
            waits.forEach(wait -> wait.timePasses(until));
        }
    }

    // ---------------------------------------------------------------- dead ends

    /** Called when nothing can run and no timer is set. Returns a wait that ends; null if next() must check again. */
    private @Nullable Wait deadEnd(Wait call) {
        List<Wait> all;
        synchronized (lock) {
            all = new ArrayList<>(waits);
        }
        Wait newest = DeadEnd.newestTask(all);
        Wait inCycle = DeadEnd.inCycle(all);
        if (inCycle != null) {
            newest = inCycle;
        } else if (call.leaves()) {
            return call;
        } else if (awaitOthers(call)) {
            return null;
        } else if (newest == null) {
            newest = call;
        }
        newest.fail(DeadEnd.exception(pool.name(), newest, all));
        return newest;
    }

    /**
     * Waits for foreign threads: for long if they may end a wait, since one of them has added an entry, an async task
     * is open, or a wait is for a stage; else for a moment. Returns true if there is an entry or the call is over.
     * After a long wait in vain, further calls return false at once until a foreign thread adds an entry.
     */
    private boolean awaitOthers(Wait call) {
        boolean open = host.isAsyncOpen();
        long begin = System.nanoTime();
        synchronized (lock) {
            if (alone) {
                return false;
            }
            try {
                boolean mayAct = foreign || open || waits.stream().anyMatch(Wait::isOutside);
                while (!canGoOn(call)) {
                    mayAct |= foreign;
                    long waited = System.nanoTime() - begin;
                    alone = mayAct && waited > OTHERS_NANOS;
                    if (alone || (!mayAct && waited > MOMENT_NANOS)) {
                        return false;
                    }
                    lock.wait(1);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            return true;
        }
    }

    private boolean canGoOn(Wait call) {
        listWaits(clock.nanoTime());
        return !ready.isEmpty() || call.isOver();
    }

    /** Interrupts the running task. Called when the test's thread is interrupted while it stands still. */
    void interruptRunning() {
        Thread thread = running;
        if (thread != Thread.currentThread()) {
            thread.interrupt();
        }
    }

    /**
     * Called periodically by the test's thread while it stands still. If the running task is blocked by a lock that a
     * waiting thread holds, the task would never continue. This method then ends the wait with an exception.
     */
    void look() {
        Thread stuck = running;
        long holder = DeadEnd.holderOfLock(stuck); // called without `lock`
        Wait ended = holder < 0 ? null : takeWaitOf(holder, stuck);
        if (ended != null) {
            ended.fail(DeadEnd.lockException(pool.name(), ended, stuck));
            pass(ended);
        }
    }

    private @Nullable Wait takeWaitOf(long thread, Thread stuck) {
        synchronized (lock) {
            for (Wait wait : waits) {
                if (lent == null
                        && running == stuck
                        && wait.isStanding()
                        && wait.thread().getId() == thread
                        // read again, since a thread holds locks of the simulation until it stands still
                        && DeadEnd.holderOfLock(stuck) == thread) {
                    waits.remove(wait);
                    ready.removeIf(entry -> entry.entry() == wait);
                    limits.removeIf(entry -> entry.entry() == wait);
                    lent = stuck;
                    return wait;
                }
            }
            return null;
        }
    }

    private boolean isLent() {
        synchronized (lock) {
            if (lent == null) {
                return false;
            }
            running = lent;
            lent = null;
            lock.notifyAll();
            return true;
        }
    }

    /**
     * Called by a task before it uses the state of the running thread. If the task was blocked by a lock, and the
     * holder of the lock has released it but has not yet returned control, this method waits until it does.
     */
    void awaitControl() {
        boolean interrupted = false;
        synchronized (lock) {
            while (lent == Thread.currentThread()) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
