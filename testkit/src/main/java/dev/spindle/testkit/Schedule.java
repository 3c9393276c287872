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
     * Exactly one of a simulation's threads, those of its tasks and that of the test, runs at any time: `running`. It
     * runs until its turn ends or it begins to wait. Then it chooses what runs next (next()), a ready entry or a wait
     * that is over, and passes control: it calls the waiting thread, or hands the entry to a thread without a turn. So
     * a waiting task blocks no other, and a simulation needs one thread more than tasks wait at once.
     *
     * field                    writers              readers   mode
     * ready, limits, waits,    all                  all       guarded by `lock`: foreign threads may submit tasks
     * idle, foreign, alone                                    and complete stages
     * running                  the running thread   all       volatile
     * lent                     the test's, next()   same      under `lock`
     * the rest                 the running thread   same      plain: ordered by the passing of control
     *
     * Schedule-1  At most one thread of a simulation runs; a thread that has passed control stands still, or has no
     *     turn and takes no entry. A task that is blocked by a lock (look()) has `lent` control to the lock's holder,
     *     which stops in next().
     * Schedule-2  The running thread makes all random choices, and none depends on an identity hash code or on real
     *     time, except at a dead end with foreign threads (awaitOthers()). So one seed gives one run.
     * Schedule-3  While a thread stands still, a call of the test is open (`calls`), so next() always finds a choice.
     */
    private static final int MOST_STEPS = 10_000_000;

    /** The maximum real time of a wait that only foreign threads can end. */
    private static final long OTHERS_NANOS = 5_000_000_000L;

    /** The result of next() if the running thread was blocked by a lock before. */
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
    private final List<WorkerContext> workers = new ArrayList<>(); // as many as turns were ever open at once
    private final ArrayDeque<WorkerContext> freeWorkers = new ArrayDeque<>();
    private final List<SimulatedThread> turns = new ArrayList<>(); // the open turns
    private final ArrayDeque<Wait> calls = new ArrayDeque<>(); // calls of the test, the innermost last
    private volatile Thread running = owner;
    private @Nullable Thread lent;
    private boolean foreign; // true if a foreign thread has submitted
    private boolean alone; // true if a wait for foreign threads was in vain since they last submitted
    private long steps;

    /**
     * @param limit true if the entry acts on a time limit, and so runs as soon as time has passed
     */
    private record Ready(Object entry, boolean limit, long since) {}

    /** A worker without a quantum: after each task, and each step of a long task, the turn may yield. */
    private final class HurriedWorker extends WorkerContext {
        HurriedWorker() {
            super(pool, 0);
        }

        @Override
        public boolean isHurried() {
            if (!super.isHurried() && order.yields()) {
                hurry(); // until the turn has yielded or decided not to
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

    /** Makes the waits and random choices of the calling thread belong to this simulation. */
    void addToThread() {
        CallersSimulation.add(pool);
    }

    /** Returns the thread of the test. */
    Thread owner() {
        return owner;
    }

    /** Returns true if the calling thread belongs to this simulation, or to another one of the same test. */
    boolean isOwn() {
        return SimulatedThread.root(Thread.currentThread()) == owner;
    }

    /** Returns the number of entries that have run and waits that have ended. */
    long steps() {
        return steps;
    }

    /** Returns the threads with open turns, of which at most one runs and the others wait. */
    List<SimulatedThread> turns() {
        return turns;
    }

    List<WorkerContext> workers() {
        return List.copyOf(workers);
    }

    // ---------------------------------------------------------------- ready entries

    /** Adds a ready entry; {@code limit} is true if it acts on a time limit. */
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

    /** Returns true if the open call of the test has what it waits for. */
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

    /** Lets other threads run until {@code wait} is over. */
    void park(Wait wait) {
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
            thread = idle.pollLast();
            if (thread != null) {
                running = thread;
                thread.hand(entry); // under the lock, so that it does not end before
            }
        }
        if (thread == null) {
            thread = new SimulatedThread(this, pool.name(), owner);
            running = thread;
            thread.hand(entry);
            thread.start();
        }
    }

    /** Returns true if a thread without a turn must pass control for {@code next}. */
    boolean isEndOfRound(Object next) {
        return next instanceof Wait || next == LENT;
    }

    /** Called by a thread whose turn has ended. Keeps the thread for a later turn, and passes control. */
    void rest(SimulatedThread thread, Object next) {
        synchronized (lock) {
            idle.addLast(thread);
        }
        pass(next);
    }

    /** Lets a long idle thread end. Returns false if it has just got a turn. */
    boolean forget(SimulatedThread thread) {
        synchronized (lock) {
            return idle.remove(thread);
        }
    }

    /** Runs one entry, and returns what runs next. */
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

    /** Records a throwable of a user's callback that would otherwise be lost. */
    void uncaught(Throwable failure) {
        boolean unused = pool.noteFailure(failure);
    }

    /** Makes the open call of the test fail with a throwable of the library. */
    private void failCall(Throwable thrown) {
        Wait call = calls.peekLast();
        if (call != null) {
            call.failWith(thrown);
        }
    }

    // ---------------------------------------------------------------- what runs next

    /** Returns the next entry to run, or a wait that is over. */
    private Object next() {
        if (isLent()) { // Schedule-1
            return LENT;
        }
        Wait call = calls.getLast(); // Schedule-3
        for (; ; ) {
            timers.fire(clock.nanoTime(), pool);
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

    /** Adds the waits of tasks that are over, or may be, to the ready entries. The caller holds the lock. */
    private void listWaits(long now) {
        for (Wait wait : waits) {
            if (wait.task() != null && !wait.isListed() && (wait.isOver() || wait.isDue(now))) {
                wait.list();
                add(new Ready(wait, wait.isLimited() && wait.left(now) == 0, now));
            }
        }
    }

    /** Returns the index of the next entry. An entry that acts on a time limit is late by one task at most. */
    private int choose(long now) {
        for (Ready limit : limits) {
            if (now - limit.since() > 0) {
                return ready.indexOf(limit);
            }
        }
        return order.next(ready.size()); // Schedule-2
    }

    /** Called when no entry is ready. Returns a wait that ends, or null after it has advanced the clock. */
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

    /** Called when nothing can run and no timer is set. Returns a wait that ends, or null to look again. */
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
     * Waits for foreign threads if they may end a wait: after one has submitted, or if an async task is open or a wait
     * is for a stage. Returns false if they do nothing; further calls then return false at once, until a foreign thread
     * acts.
     */
    private boolean awaitOthers(Wait call) {
        boolean open = host.isAsyncOpen();
        long begin = System.nanoTime();
        synchronized (lock) {
            if (alone || !(foreign || open || waits.stream().anyMatch(Wait::isOutside))) {
                return false;
            }
            try {
                while (!canGoOn(call)) {
                    alone = System.nanoTime() - begin > OTHERS_NANOS;
                    if (alone) {
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

    /** Forwards an interrupt of the test's thread, which stands still, to the running task. */
    void interruptRunning() {
        Thread thread = running;
        if (thread != Thread.currentThread()) {
            thread.interrupt();
        }
    }

    /**
     * Called periodically by the thread of a call. If the running task is blocked by a lock that a waiting task holds,
     * it would never continue: makes that wait fail with an exception that says so.
     */
    void look() {
        Thread stuck = running;
        long holder = DeadEnd.holderOfLock(stuck); // without holding `lock`
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
                        && wait.thread().getId() == thread) {
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
            return true;
        }
    }
}
