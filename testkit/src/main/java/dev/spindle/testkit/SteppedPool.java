// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import dev.spindle.internal.Counters;
import dev.spindle.internal.InternalTask;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.TimerQueue;
import dev.spindle.internal.WorkerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A pool without threads: whoever made it runs the entries, one at a time. A task that waits for another is interrupted
 * by it in the midst, as if there were one more worker, so the workers of the tasks that have begun form a stack.
 */
final class SteppedPool extends Pool {
    /*
     * `ready` is guarded by its monitor, for stages may complete on threads of their own; the rest is touched by
     * `owner` alone, save `stopping`, which only becomes true.
     */
    private static final int MOST_STEPS = 10_000_000;

    private final Thread owner = Thread.currentThread();
    private final PoolConfig config;
    private final TimerQueue timers;
    private final ManualClock clock;
    private final Order order;
    private final List<Object> ready = new ArrayList<>();
    private final List<WorkerContext> workers = new ArrayList<>(); // one for each depth that was reached
    // tasks further down, which learn of it when they go on
    private final List<WorkerContext> interrupted = new ArrayList<>();
    private int depth;
    private int turnTasks; // of the turn that runs now
    private long turnBegan;
    private volatile boolean stopping;
    private boolean terminated;

    SteppedPool(PoolConfig config, TimerQueue timers, ManualClock clock, Order order) {
        this.config = config;
        this.timers = timers;
        this.clock = clock;
        this.order = order;
    }

    // ---------------------------------------------------------------- steps

    /** Runs one entry, which fires what is due; false when nothing is ready. */
    boolean step() {
        requireOwner();
        timers.fire(clock.nanoTime(), this);
        Object entry = take();
        if (entry == null) {
            tryTerminate();
            return false;
        }
        if (depth == workers.size()) {
            // No quantum: each task may be the last of its turn, as `yields` says.
            workers.add(new WorkerContext(this, 0));
        }
        WorkerContext outer = WorkerContext.current();
        boolean wasInterrupted = Thread.interrupted(); // that is meant for whoever waits, not for the task
        WorkerContext own = workers.get(depth++);
        int outerTasks = turnTasks;
        long outerBegan = turnBegan;
        turnTasks = 0;
        turnBegan = clock.nanoTime();
        own.bind();
        try {
            own.execute(entry);
        } finally {
            depth--;
            turnTasks = outerTasks;
            turnBegan = outerBegan;
            if (outer == null) {
                own.unbind();
            } else {
                outer.bind();
            }
            Thread.interrupted();
            boolean told = outer != null && interrupted.remove(outer);
            if (wasInterrupted || told) {
                owner.interrupt();
            }
        }
        tryTerminate();
        return true;
    }

    /** Runs entries until nothing is ready, and returns how many. */
    long runAll() {
        long steps = 0;
        while (step()) {
            steps = count(steps);
        }
        return steps;
    }

    /** Lets {@code nanos} pass, and runs what is ready and what becomes due on the way. */
    void advance(long nanos) {
        requireOwner();
        long end = clock.nanoTime() + nanos;
        long steps = 0;
        for (; ; ) {
            while (step()) {
                steps = count(steps);
            }
            long now = clock.nanoTime();
            if (end - now <= 0) {
                return;
            }
            clock.advance(Math.min(end - now, timers.untilNext(now)));
            steps = count(steps);
        }
    }

    @Override
    public int draw(int bound) {
        return order.draw(bound);
    }

    @Override
    public long await(BooleanSupplier done, long nanos) {
        if (Thread.currentThread() != owner) {
            return nanos;
        }
        long begin = clock.nanoTime();
        long steps = 0;
        while (!done.getAsBoolean()) {
            steps = count(steps);
            if (step()) {
                continue;
            }
            long now = clock.nanoTime();
            long left = nanos == Long.MAX_VALUE ? nanos : nanos - (now - begin);
            if (left <= 0 || done.getAsBoolean()) {
                return 0;
            }
            long next = Math.min(left, timers.untilNext(now));
            if (next == Long.MAX_VALUE) {
                if (owner.isInterrupted()) {
                    return 0; // so the wait ends
                }
                throw new IllegalStateException("spindle " + name() + " is simulated, and this wait would never end:"
                        + " nothing is ready and no timer is set; perhaps the lane is paused, an async task waits for a"
                        + " stage that nobody completes, or tasks wait for each other");
            }
            clock.advance(next);
        }
        return 0;
    }

    private long count(long steps) {
        if (steps == MOST_STEPS) {
            throw new IllegalStateException("spindle " + name() + " is simulated, and still busy after " + steps
                    + " steps: does a task submit itself for ever? Use step(), or advance() for periodic tasks");
        }
        return steps + 1;
    }

    private void requireOwner() {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("spindle " + name() + " is simulated by the thread " + owner.getName()
                    + ", which made it, and not by " + Thread.currentThread().getName());
        }
    }

    private @Nullable Object take() {
        synchronized (ready) {
            return ready.isEmpty() ? null : ready.remove(order.next(ready.size()));
        }
    }

    // ---------------------------------------------------------------- entries

    @Override
    public PoolConfig.Host host() {
        return config.host();
    }

    @Override
    public String name() {
        return config.name();
    }

    @Override
    public void ready(Object entry) {
        synchronized (ready) {
            ready.add(entry);
        }
    }

    @Override
    public void readyAgain(ReadyEntry entry) {
        ready(entry);
    }

    @Override
    public boolean ensureThread() {
        return true;
    }

    /** As an order that lets a turn end early sees it. */
    @Override
    public boolean hasReady() {
        return !isEmpty() && order.yields();
    }

    /** Asked after each task of a turn. */
    @Override
    public boolean mayGoOn() {
        long now = clock.nanoTime();
        timers.fire(now, this); // the task may have let time pass
        boolean timeUp = ++turnTasks >= WorkerContext.QUANTUM || now - turnBegan >= config.quantumNanos();
        return !hasReady() && !timeUp;
    }

    private boolean isEmpty() {
        synchronized (ready) {
            return ready.isEmpty();
        }
    }

    @Override
    public @Nullable Object removeFirst(Predicate<Object> wanted) {
        synchronized (ready) {
            for (int i = 0; i < ready.size(); i++) {
                if (wanted.test(ready.get(i))) {
                    return ready.remove(i);
                }
            }
            return null;
        }
    }

    @Override
    public List<Object> removeAll(Predicate<Object> wanted) {
        synchronized (ready) {
            List<Object> removed = new ArrayList<>(ready);
            removed.removeIf(entry -> !wanted.test(entry));
            ready.removeIf(wanted);
            return removed;
        }
    }

    @Override
    public long nanoTime() {
        return clock.nanoTime();
    }

    @Override
    public long recentNanos() {
        return clock.nanoTime();
    }

    @Override
    public void failed(@Nullable Object key, Runnable task, Throwable failure) {
        config.host().taskFailed(key, task, failure);
    }

    @Override
    public boolean timerAdded(Added added) {
        return true;
    }

    // ---------------------------------------------------------------- shutdown

    @Override
    public void stop() {
        stopping = true;
        tryTerminate();
    }

    @Override
    public void tryTerminate() {
        if (stopping && Thread.currentThread() == owner && depth == 0 && !terminated) {
            long look = lifetime().look();
            boolean quiescent =
                    isEmpty() && config.host().isQuiescent() && lifetime().isFree();
            InternalTask last = quiescent ? lifetime().callLast() : null;
            if (last != null) {
                ready(last);
                return;
            }
            terminated = quiescent && lifetime().end(look);
            if (terminated) {
                config.host().terminated();
            }
        }
    }

    @Override
    public void forEachWorker(Consumer<WorkerContext> action) {
        workers.forEach(action);
    }

    /** Interrupts the task that runs, and those that wait for others when they go on. */
    @Override
    public void interruptAll() {
        if (depth > 0) {
            interrupted.addAll(workers.subList(0, depth - 1));
            owner.interrupt();
        }
    }

    // ---------------------------------------------------------------- statistics

    @Override
    public long estimatedPlain() {
        synchronized (ready) {
            return ready.stream().filter(Pool::isPlain).count();
        }
    }

    @Override
    public Counts counts() {
        Counters all = new Counters();
        workers.forEach(all::addAll);
        int waiting;
        synchronized (ready) {
            waiting = ready.size();
        }
        return new Counts(0, 0, config.core(), 0, waiting, all, 0, 0);
    }
}
