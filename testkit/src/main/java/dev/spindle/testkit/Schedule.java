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

/** What is ready in a simulation and what waits, and the threads of which one runs at a time. */
final class Schedule {
    /*
     * Of the threads of a simulation, those of its tasks and that of the test, exactly one runs at any time: `running`.
     * It runs until its turn ends or it begins to wait, and then chooses what runs next (next()), a ready entry or a
     * wait that is over, and lets that go on: by calling the thread that waits, or by handing the entry to a thread
     * without a turn. So a task that waits keeps nothing from running, and a simulation needs as many threads as tasks
     * wait at once, and one more.
     *
     * field                    writers              readers   mode
     * ready, limits, waits,    all                  all       guarded by `lock`, since tasks may be submitted, and
     * idle, foreign, alone                                    stages completed, by threads that are none of these
     * running                  the one that runs    all       volatile
     * lent                     the test's, next()   same      under `lock`
     * the rest                 the one that runs    same      plain: ordered by the calls
     *
     * Schedule-1  At most one thread of a simulation runs. A thread that lets another go on stands still, or has no
     *     turn and looks for no other work. The exception is a task that is stuck in a lock (look()): it has `lent` its
     *     part to the task that holds the lock, which stops when it comes to next().
     * Schedule-2  What depends on chance is drawn by the thread that runs, and no choice depends on an identity hash
     *     or on real time, save that of a dead end with other threads (awaitOthers()): one seed, one run.
     * Schedule-3  While a thread stands still, a call of the test is open (`calls`): next() always finds something.
     */
    private static final int MOST_STEPS = 10_000_000;

    /** For how long, in real time, a wait that only other threads can end lasts at most. */
    private static final long OTHERS_NANOS = 5_000_000_000L;

    /** What next() returns where the thread that runs is one that was stuck before. */
    private static final Object LENT = new Object();

    private final SteppedPool pool;
    private final PoolConfig.Host host;
    private final TimerQueue timers;
    private final ManualClock clock;
    private final Order order;
    private final Thread owner = SimulatedThread.root(Thread.currentThread());
    private final Object lock = new Object();
    private final List<Ready> ready = new ArrayList<>();
    private final List<Ready> limits = new ArrayList<>(); // those of them that act on a limit
    private final List<Wait> waits = new ArrayList<>(); // in the order in which they began
    private final ArrayDeque<SimulatedThread> idle = new ArrayDeque<>();
    private final List<WorkerContext> workers = new ArrayList<>(); // as many as turns were under way at once
    private final ArrayDeque<WorkerContext> freeWorkers = new ArrayDeque<>();
    private final List<SimulatedThread> turns = new ArrayList<>(); // those under way
    private final ArrayDeque<Wait> calls = new ArrayDeque<>(); // of the test, the innermost last
    private volatile Thread running = owner;
    private @Nullable Thread lent;
    private boolean foreign; // whether a thread that is none of these has handed anything in
    private boolean alone; // whether other threads have been waited for in vain since they last did anything
    private long steps;

    /** @param limit whether it acts as soon as time has passed */
    private record Ready(Object entry, boolean limit, long since) {}

    /** Without a quantum: each task may be the last of its turn, and what a task does many of, the last of the task. */
    private final class HurriedWorker extends WorkerContext {
        HurriedWorker() {
            super(pool, 0);
        }

        @Override
        public boolean isHurried() {
            if (!super.isHurried() && order.yields()) {
                hurry(); // until the turn has given way, or decided not to
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

    /** Has waits and draws of the calling thread be those of this simulation. */
    void addToThread() {
        CallersSimulation.add(pool);
    }

    /** Returns the thread of the test. */
    Thread owner() {
        return owner;
    }

    /** Returns whether the calling thread is one of this simulation's, or runs a task of another for its test. */
    boolean isOwn() {
        return SimulatedThread.root(Thread.currentThread()) == owner;
    }

    /** Returns how many entries have run, and waits have ended. */
    long steps() {
        return steps;
    }

    /** Returns the threads whose turns are under way: at most one runs, the others wait. */
    List<SimulatedThread> turns() {
        return turns;
    }

    List<WorkerContext> workers() {
        return List.copyOf(workers);
    }

    // ---------------------------------------------------------------- what is ready

    /** Adds what is ready; {@code limit} says that it acts as soon as time has passed. */
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

    /** Returns whether something else than the turn that runs can go on. */
    boolean othersCanRun() {
        synchronized (lock) {
            listWaits(clock.nanoTime());
            return !ready.isEmpty();
        }
    }

    /** Returns whether the call of the test, for which the rest runs, has what it waits for. */
    boolean isCallOver() {
        Wait call = calls.peekLast();
        return call != null && !call.leaves() && call.isOver();
    }

    /** Returns how many entries {@code counted} accepts. */
    long count(Predicate<Object> counted) {
        synchronized (lock) {
            return ready.stream().filter(entry -> isWanted(entry, counted)).count();
        }
    }

    /** As {@link Pool#removeFirst}. */
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

    /** As {@link Pool#removeAll}. */
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

    // ---------------------------------------------------------------- the one that runs

    /** Lets others run until {@code wait} is over. */
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
                thread.hand(entry); // under the lock: it does not end now
            }
        }
        if (thread == null) {
            thread = new SimulatedThread(this, pool.name(), owner);
            running = thread;
            thread.hand(entry);
            thread.start();
        }
    }

    /** Returns whether a thread without a turn has to let another go on with {@code next}. */
    boolean isEndOfRound(Object next) {
        return next instanceof Wait || next == LENT;
    }

    /** Called by a thread that has no turn any more: keeps it for the next, and lets another go on. */
    void rest(SimulatedThread thread, Object next) {
        synchronized (lock) {
            idle.addLast(thread);
        }
        pass(next);
    }

    /** Lets a thread end that has been without a turn for long; false if it has just got one. */
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

    /** Notes what a callback of a user's has thrown that nothing else tells of. */
    void uncaught(Throwable failure) {
        boolean unused = pool.noteFailure(failure);
    }

    /** Has the call of the test fail with what code of the library has thrown. */
    private void failCall(Throwable thrown) {
        Wait call = calls.peekLast();
        if (call != null) {
            call.failWith(thrown);
        }
    }

    // ---------------------------------------------------------------- what runs next

    /** Returns an entry to run, or a wait that is over. */
    private Object next() {
        if (isLent()) {
            return LENT;
        }
        Wait call = calls.getLast();
        for (; ; ) {
            timers.fire(clock.nanoTime(), pool);
            pool.tryTerminate();
            if (call.isOver()) {
                return call;
            }
            if (call.countStep() > MOST_STEPS) {
                call.fail(new IllegalStateException("spindle " + pool.name() + " is simulated, and still busy after "
                        + MOST_STEPS + " steps: does a task submit itself for ever? Use step(), or advance() for"
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

    /** Adds the waits of tasks that are over, or may be, to what is ready; with the lock. */
    private void listWaits(long now) {
        for (Wait wait : waits) {
            if (wait.task() != null && !wait.isListed() && (wait.isOver() || wait.isDue(now))) {
                wait.list();
                add(new Ready(wait, wait.isLimited() && wait.left(now) == 0, now));
            }
        }
    }

    /** Returns the index of what runs next; what acts on a limit, in its own time, is not late by more than a task. */
    private int choose(long now) {
        for (Ready limit : limits) {
            if (now - limit.since() > 0) {
                return ready.indexOf(limit);
            }
        }
        return order.next(ready.size());
    }

    /** Called when nothing is ready: returns a wait that ends, or null when time has passed. */
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

    /** Called when nothing can go on, and no time is left to pass: returns a wait that ends; null to look again. */
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
     * Waits for other threads, where they may have something to do with it: they have submitted, or an async task or a
     * wait is for a stage. False when nothing comes of it; once that was so, it is taken for so.
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

    /** Has an interrupt of the test's thread, which stands still, reach the task that runs. */
    void interruptRunning() {
        Thread thread = running;
        if (thread != Thread.currentThread()) {
            thread.interrupt();
        }
    }

    /**
     * Called now and then by the thread of a call: a task that is stuck in a lock, which one that waits holds, would
     * run no more. Has that wait end, in a failure that says so.
     */
    void look() {
        Thread stuck = running;
        long holder = DeadEnd.holderOfLock(stuck); // without our own lock
        Wait ended = holder < 0 ? null : takeWaitOf(holder, stuck);
        if (ended != null) {
            ended.fail(DeadEnd.lockException(pool.name(), ended, stuck));
            pass(ended);
        }
    }

    private @Nullable Wait takeWaitOf(long thread, Thread stuck) {
        synchronized (lock) {
            for (Wait wait : waits) {
                if (lent == null && running == stuck && wait.thread().getId() == thread) {
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
