// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.timer;

import dev.spindle.internal.Pool;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.Scheduler;
import dev.spindle.internal.TimerQueue;
import dev.spindle.internal.WorkerContext;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The timers of an executor. This class has no thread: the clock thread calls {@link #fire}, and then sleeps for the
 * time that {@link #untilNext} returns. Adds take constant time, and so do removals of timers that are not yet due.
 * Adds and removals allocate no memory. Any thread may call any method at any time.
 */
public final class Timers implements TimerQueue {
    /*
     * The lock guards a TimerWheel. `earliest` is read without the lock, so that a worker takes no lock to check
     * whether a timer is due. Timer.fire and the consumer of removeIf run without the lock. The predicate of removeIf
     * runs under the lock, and runs no user code. The timers of an owner (a Group) also form a list, linked through
     * fields of the timers, so that the shutdown of an owner visits only its own timers.
     *
     * field     writers (under lock)             readers     mode
     * wheel     all                              under lock  plain, as the fields of a Timer; a thread that knows
     *                                                        that the timer waits may also read `due`
     * earliest  add, to lower it; fire and       all         volatile
     *           untilNext, to raise it
     * told      untilNext                        under lock  plain
     * empty     the add of a first timer, the    all         volatile
     *           take of the last
     * groups    all; the links of a Timer and a  under lock  plain
     *           Group as well
     *
     * Timers-1  No timer is before `earliest`, so fire(now) has nothing to do while `earliest` is after `now`.
     * Timers-2  After untilNext has returned the time until t, and until the next call of untilNext, each add of a
     *     timer before t returns EARLIER; the adding thread then wakes the clock thread. All such adds return EARLIER,
     *     since the thread of the first one may fail before it wakes the clock thread.
     * Timers-3  A thread that adds a timer ensures that the clock thread runs. The add of a first timer clears `empty`
     *     before the adding thread reads `running`; the clock thread clears `running` before it reads `empty` a last
     *     time (ClockThread-1).
     * Timers-4  Each add leads to one fire or one removal, since a fire and a removal take the timer from the wheel
     *     under the lock. remove takes the lock even if the timer is not in the wheel. So if one thread adds a timer
     *     and then reads a field, and another thread writes that field and then removes the timer, the first thread
     *     sees the write or the second thread finds the timer.
     * Timers-5  A timer of a group is in the group's list while it is in the wheel, and, after it was fired, from
     *     `keep` to `letGo`. Of the calls of letGo, remove and removeIf, only the call that removes the timer from the
     *     list succeeds, so a due timer is either executed by its turn or returned by a shutdown.
     *
     * A large slot is emptied in pieces of PIECE timers, so that an add waits for the lock only for some microseconds.
     * `groups` is the list of the groups that have timers.
     *
     * Tests: TimersTest, TimersModelTest, TimersStressTest, ScheduleContractTest; jcstress AddAgainstSleep (Timers-2),
     * AddAgainstUnwatch (Timers-3), CancelAgainstRearm (Timers-4).
     */
    /**
     * A timer. When it is due by the executor's clock, it becomes ready, and a worker executes its {@link #turn}, which
     * must not throw. The turn is not counted as a task.
     */
    public abstract static class Timer extends ReadyEntry {
        long due;
        long number;
        int where = TimerWheel.NOWHERE;

        @Nullable
        Timer prev;

        @Nullable
        Timer next;

        @Nullable
        Timer child;

        private final @Nullable Group group;
        private @Nullable Timer groupPrev;
        private @Nullable Timer groupNext;

        /** Creates a timer without a group. */
        protected Timer() {
            this(null);
        }

        /** Creates a timer of {@code group}. */
        protected Timer(@Nullable Group group) {
            this.group = group;
        }

        /** Returns the due time of this timer, as a reading of the clock in nanoseconds. */
        public final long due() {
            return due;
        }

        /**
         * Makes this timer ready. Called at most once for each add, by the clock thread, or by a worker, even in the
         * middle of a turn. Must not block, throw, or call user code.
         */
        protected void fire(Scheduler scheduler) {
            scheduler.ready(this);
        }

        /**
         * Returns whether a shutdown ends this timer. Called under the lock, so it must neither call user code nor
         * throw.
         *
         * @param all true if the shutdown removes all waiting tasks
         */
        protected boolean endsWith(boolean all) {
            return true;
        }

        /**
         * Adds the user's task, if there is one, to {@code to}. Called after a shutdown has removed this timer, which
         * then does not fire.
         */
        protected void ended(@Nullable BiConsumer<@Nullable Object, Runnable> to) {}
    }

    /**
     * The timer of a time limit. The limit acts on a thread that runs no tasks, so that ready entries do not delay the
     * limit (A3). If an earlier limit blocks that thread, or the thread cannot be started, the limit acts on a worker.
     * The action begins without a pending interrupt (A4).
     */
    public abstract static class Limit extends Timer {
        /** Creates a limit without a group. */
        protected Limit() {}

        /** Creates a limit of {@code group}. */
        protected Limit(@Nullable Group group) {
            super(group);
        }

        @Override
        protected final void fire(Scheduler scheduler) {
            scheduler.complete(this); // U1
        }

        @Override
        public final void turn(WorkerContext r) {
            boolean unused = Thread.interrupted(); // A4
            act();
        }

        /** Acts on the limit. Must not throw; may call user code. */
        protected abstract void act();
    }

    /** The timers of one owner: those that wait, and those that are ready and were kept ({@link #keep}). */
    public static final class Group {
        private @Nullable Timer first;
        private @Nullable Group prev;
        private @Nullable Group next;

        /** Creates an empty group. */
        public Group() {}
    }

    /**
     * The maximum time by which the clock may fall behind its first reading. The clock may run ahead of that reading by
     * up to 2^64 ns minus this time.
     */
    private static final long BEHIND = 1L << 61;

    /** The maximum number of timers that are moved while the lock is held once. Not measured. */
    private static final int PIECE = 256;

    /** The maximum number of timers that a search for the earliest timer of a slot reads. Not measured. */
    private static final int SCAN = 128;

    private final ReentrantLock lock = new ReentrantLock();
    private final long epoch;
    private final TimerWheel wheel;
    private volatile long earliest = TimerWheel.NEVER; // counted from epoch, unsigned
    private long told = TimerWheel.NEVER; // counted like `earliest`
    private volatile boolean empty = true;
    private @Nullable Group groups;

    /** Creates an empty set for a clock that reads {@code now}. */
    public Timers(long now) {
        this(now, PIECE, SCAN);
    }

    /**
     * Creates an empty set with the given limits of {@link TimerWheel}, for tests.
     *
     * @throws IllegalArgumentException if {@code piece} is below 1, or {@code scan} below 0
     */
    Timers(long now, int piece, int scan) {
        if (piece < 1 || scan < 0) {
            throw new IllegalArgumentException(
                    "piece must be at least 1, is " + piece + ", and scan at least 0, is " + scan);
        }
        epoch = now - BEHIND;
        wheel = new TimerWheel(epoch, BEHIND, piece, scan);
    }

    /**
     * Adds {@code timer} to fire at {@code due}, which may be past.
     *
     * @throws IllegalStateException if {@code timer} is waiting already
     */
    public Pool.Added add(Timer timer, long due) {
        lock.lock();
        try {
            if (timer.where != TimerWheel.NOWHERE) {
                throw new IllegalStateException("timer " + timer + " was added before, for " + timer.due);
            }
            timer.due = due;
            wheel.add(timer);
            link(timer);
            boolean first = empty;
            if (first) {
                empty = false;
            }
            long at = due - epoch;
            if (Long.compareUnsigned(at, earliest) < 0) {
                earliest = at;
            }
            if (Long.compareUnsigned(at, told) < 0) { // Timers-2
                return Pool.Added.EARLIER;
            }
            return first ? Pool.Added.FIRST : Pool.Added.LATER; // Timers-3
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds {@code timer}, and ensures that {@code pool} watches the clock. Returns false if the pool has no thread and
     * none could be started.
     */
    public boolean add(Timer timer, long due, Pool pool) {
        return pool.timerAdded(add(timer, due));
    }

    /** Removes {@code timer}. Returns false if the timer neither waits nor is kept. */
    public boolean remove(Timer timer) {
        lock.lock();
        try {
            return take(timer);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isOverdue(long now, long nanos) {
        return Long.compareUnsigned(earliest, now - epoch - nanos) < 0;
    }

    @Override
    public boolean isEmpty() {
        return empty;
    }

    /**
     * Returns the nanoseconds from {@code now} until the first timer is due, or {@link Long#MAX_VALUE} without timers.
     * The result may be too low, for example if an earlier timer was removed. An {@link #add} that shortens the time
     * returns {@link Pool.Added#EARLIER}.
     */
    @Override
    public long untilNext(long now) {
        long at = now - epoch;
        long next;
        lock.lock();
        try {
            wheel.turnTo(at);
            next = wheel.bound(); // Timers-2
            earliest = next;
            told = next;
        } finally {
            lock.unlock();
        }
        if (Long.compareUnsigned(next, at) <= 0) {
            return 0;
        }
        long wait = next - at;
        return next == TimerWheel.NEVER || wait < 0 ? Long.MAX_VALUE : wait;
    }

    /**
     * Fires every timer that is due at {@code now}. Several threads may call this at once; each timer is fired by one
     * of them.
     */
    @Override
    public void fire(long now, Scheduler scheduler) {
        long at = now - epoch;
        while (Long.compareUnsigned(earliest, at) <= 0) {
            Timer due;
            lock.lock();
            try {
                due = wheel.step(at);
                if (due != null) {
                    boolean unused = unlink(due);
                    checkEmpty();
                }
                long bound = wheel.bound(); // Timers-1
                if (Long.compareUnsigned(bound, at) > 0) {
                    earliest = bound;
                }
            } finally {
                lock.unlock();
            }
            if (due != null) {
                due.fire(scheduler);
            }
        }
    }

    /** Keeps a timer that is being fired in its group, until {@link #letGo} is called or the timer is removed. */
    public void keep(Timer timer) {
        lock.lock();
        try {
            link(timer);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends {@link #keep}. Returns false if the timer has a group, and was removed from the group since the call of
     * {@code keep}.
     */
    public boolean letGo(Timer timer) {
        lock.lock();
        try {
            return unlink(timer) || timer.group == null; // Timers-5
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes the timers that a shutdown ends ({@link Timer#endsWith}), and calls {@link Timer#ended} for each, in the
     * order of due times. Considers the timers of {@code owner}, or, if {@code owner} is null, of all groups.
     *
     * @param all true if the shutdown removes all waiting tasks
     * @param to receives the owner and the task of each user's task, or null; the owner is null for a plain task
     */
    public void end(@Nullable Group owner, boolean all, @Nullable BiConsumer<@Nullable Object, Runnable> to) {
        if (hasGroups()) {
            Ending ending = new Ending(all, to);
            removeIf(owner, ending, ending);
        }
    }

    private boolean hasGroups() {
        lock.lock();
        try {
            return groups != null;
        } finally {
            lock.unlock();
        }
    }

    private record Ending(boolean all, @Nullable BiConsumer<@Nullable Object, Runnable> to)
            implements Predicate<Timer>, Consumer<Timer> {
        @Override
        public boolean test(Timer timer) {
            return timer.endsWith(all);
        }

        @Override
        public void accept(Timer timer) {
            timer.ended(to);
        }
    }

    /**
     * Removes every timer that {@code which} accepts, and passes the removed timers to {@code removed}, in the order of
     * due times. Considers the timers of {@code owner}, or, if {@code owner} is null, of all groups. If {@code removed}
     * throws, the remaining timers are still passed to {@code removed}. {@code which} is called under the lock, so it
     * must neither run user code nor throw. Takes time proportional to the number of timers in the groups.
     */
    void removeIf(@Nullable Group owner, Predicate<Timer> which, Consumer<Timer> removed) {
        TimerHeap taken = new TimerHeap(epoch); // allocated before any change, since the allocation may fail
        lock.lock();
        try {
            for (Group g = owner == null ? groups : owner; g != null; ) {
                Group next = owner == null ? g.next : null; // read first: takeIf may remove `g` from the list
                takeIf(g, which, taken);
                g = next;
            }
        } finally {
            lock.unlock();
        }
        handOver(taken, removed);
    }

    private void takeIf(Group group, Predicate<Timer> which, TimerHeap to) {
        for (Timer t = group.first; t != null; ) {
            Timer next = t.groupNext;
            if (which.test(t)) {
                boolean unused = take(t);
                to.add(t);
            }
            t = next;
        }
    }

    private static void handOver(TimerHeap taken, Consumer<Timer> to) {
        Throwable failure = null;
        for (Timer t = taken.poll(); t != null; t = taken.poll()) {
            try {
                to.accept(t);
            } catch (Throwable e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure instanceof Error error) {
            throw error;
        } else if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }

    // ---------------------------------------------------------------- under the lock

    /** Removes a timer from the wheel and its group. Returns false if the timer was in neither. */
    private boolean take(Timer timer) {
        boolean waited = wheel.remove(timer);
        boolean owned = unlink(timer);
        checkEmpty();
        return waited || owned;
    }

    private void link(Timer timer) {
        Group group = timer.group;
        if (group == null) {
            return;
        }
        Timer head = group.first;
        timer.groupNext = head;
        group.first = timer;
        if (head != null) {
            head.groupPrev = timer;
            return;
        }
        Group other = groups;
        group.next = other;
        if (other != null) {
            other.prev = group;
        }
        groups = group;
    }

    /** Removes a timer from its group's list. Returns false if the timer was not in the list. */
    private boolean unlink(Timer timer) {
        Group group = timer.group;
        Timer before = timer.groupPrev;
        if (group == null || (before == null && group.first != timer)) {
            return false;
        }
        Timer after = timer.groupNext;
        timer.groupPrev = null;
        timer.groupNext = null;
        if (after != null) {
            after.groupPrev = before;
        }
        if (before != null) {
            before.groupNext = after;
        } else {
            group.first = after;
            if (after == null) {
                leave(group);
            }
        }
        return true;
    }

    private void leave(Group group) {
        Group before = group.prev;
        Group after = group.next;
        group.prev = null;
        group.next = null;
        if (after != null) {
            after.prev = before;
        }
        if (before != null) {
            before.next = after;
        } else {
            groups = after;
        }
    }

    private void checkEmpty() {
        if (wheel.size() == 0 && !empty) {
            empty = true;
        }
    }
}
