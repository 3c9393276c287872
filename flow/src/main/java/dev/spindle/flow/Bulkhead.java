// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import dev.spindle.Spindle;
import dev.spindle.Stats;
import dev.spindle.flow.internal.UserCode;
import dev.spindle.flow.limit.Limiter;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.SpindlePart;
import dev.spindle.internal.SpindleParts;
import dev.spindle.internal.report.Figures;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A bound on the numbers of concurrent and waiting calls. Several endpoints may share a bulkhead, and then share its
 * permits; for example, all endpoints of one database.
 *
 * <pre>{@code
 * Bulkhead database = Bulkhead.create(spindle, "orders-db", Limiter.fixed(32), 100);
 * }</pre>
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread, and do not block.
 *
 * <p><b>Order.</b> Waiting calls get permits in the order in which they began to wait, and no later call overtakes
 * them. A call that has waited starts on a worker, or on the thread of the spindle that completes passed time limits.
 * A call whose time is up, or that is cancelled, leaves the queue at once.
 *
 * <p><b>Rejection.</b> If no permit is free and the queue is full, the call is {@linkplain Outcome.Rejected rejected}.
 */
public final class Bulkhead {
    /*
     * `lock` guards the counts, the list from head to tail and the links of its waiters. The limiter may be user
     * code, so threads call it without the lock.
     *
     * Bulkhead-1  `running` is the number of permits that were given out and not given back.
     * Bulkhead-2  While no method runs, the queue is empty or `running` has reached the last limit of the limiter. A
     *     thread that lowers `running`, or sees a higher limit, then serves the queue.
     * Bulkhead-3  A waiter leaves the list once: with a permit, or by withdraw().
     *
     * `isQueued` is written under the lock, but withdraw() first reads it without the lock, when the attempt ends. So
     * withdraw() may miss a waiter that is just being appended. The thread that has appended the waiter then checks,
     * under the monitor of the attempt, whether the attempt has ended, and if so, withdraws the waiter.
     *
     * serve() is a loop, not a recursion: if a waiter cannot be started, granted() returns false, and the loop takes
     * the permit back. So refusing a long queue needs no deep stack.
     */
    /** The result of {@link #acquire} for a call that waits; no call holds this permit. */
    final Permit queued = new Permit(this, 0, 0);

    private final String name;
    private final Spindle spindle;
    private final Limiter limiter;
    private final int capacity;
    private final Object lock = new Object();
    private int running;
    private int pending;
    private long ended; // the number of permits that were given back
    private long rejected;
    private long withdrawn; // the number of calls that left the queue without a permit
    private @Nullable Waiter head;
    private @Nullable Waiter tail;
    private volatile int lastLimit = 1;
    private final SpindlePart reported = list -> list.add(SpindlePart.Kind.BULKHEAD, null, stats());

    private Bulkhead(Spindle spindle, String name, Limiter limiter, int capacity) {
        this.spindle = spindle;
        this.name = name;
        this.limiter = limiter;
        this.capacity = capacity;
    }

    /**
     * Returns a new bulkhead.
     *
     * @param name the name for messages
     * @param limiter the limiter that sets how many calls may run at once
     * @param capacity the maximum number of calls that wait for a permit
     * @throws IllegalArgumentException if {@code capacity} is negative
     */
    public static Bulkhead create(Spindle spindle, String name, Limiter limiter, int capacity) {
        if (capacity < 0) {
            throw new IllegalArgumentException("capacity must not be negative, is " + capacity);
        }
        Bulkhead bulkhead = of(spindle, name, limiter, capacity);
        SpindleParts.add(spindle, bulkhead.reported); // the spindle refers to the field weakly
        return bulkhead;
    }

    /** Returns a new bulkhead of one endpoint, in whose figures reports include it. */
    static Bulkhead of(Spindle spindle, String name, Limiter limiter, int capacity) {
        return new Bulkhead(
                requireNonNull(spindle, "spindle"),
                requireNonNull(name, "name"),
                requireNonNull(limiter, "limiter"),
                capacity);
    }

    /**
     * Returns a permit if one is free and no call waits; otherwise null. The caller must give the permit back by one of
     * its methods, however the work ends.
     */
    public @Nullable Permit tryAcquire() {
        Headroom.requireTwice();
        return enter(null, 1);
    }

    /** Does what {@link #tryAcquire} does, for a second call: the lack of a permit is not a rejection. */
    @Nullable
    Permit tryAcquireSecond() {
        Headroom.requireTwice();
        return enter(null, 0);
    }

    /** Returns a permit, or {@link #queued}, or null if there is no room to wait. */
    @Nullable
    Permit acquire(Waiter waiter) {
        return enter(waiter, 1);
    }

    /** @param refusals the number to count if the call gets no permit and does not wait */
    private @Nullable Permit enter(@Nullable Waiter waiter, int refusals) {
        long now = Deadline.nanoTime(spindle);
        int allowed = allowed(now);
        Permit result = null;
        synchronized (lock) {
            if (head == null && running < allowed) { // B5
                Permit permit = new Permit(this, now, running + 1);
                running++;
                return permit;
            }
            if (waiter != null && pending < capacity) {
                append(waiter);
                result = queued;
            } else {
                rejected += refusals;
            }
            if (running >= allowed) {
                return result;
            }
        }
        serve(); // calls wait although permits are free, for example because the limit has risen
        return result;
    }

    /** Removes a waiter from the queue, if it is queued. */
    void withdraw(Waiter waiter) {
        if (!waiter.isQueued) {
            return;
        }
        synchronized (lock) {
            if (waiter.isQueued) {
                remove(waiter);
                withdrawn++;
            }
        }
    }

    void ended(long since, long lessNanos, int runningThen, boolean overloaded) {
        long now = Deadline.nanoTime(spindle);
        try {
            Duration held = Duration.ofNanos(Math.max(0, now - since - lessNanos));
            limiter.ended(new Limiter.Sample(now, held, runningThen, overloaded));
        } catch (Throwable t) {
            UserCode.uncaught(t);
        }
        ignored();
    }

    void ignored() {
        if (undone()) { // Bulkhead-2
            serve();
        }
    }

    /** Lowers {@code running}; returns true if a call waits. */
    boolean undone() {
        synchronized (lock) {
            running--;
            ended++;
            return head != null;
        }
    }

    /** Gives free permits to waiting calls. */
    private void serve() {
        for (; ; ) {
            long now = Deadline.nanoTime(spindle);
            int allowed;
            try {
                allowed = allowed(now);
            } catch (Throwable t) {
                UserCode.uncaught(t);
                allowed = lastLimit;
            }
            Waiter first;
            Permit permit;
            synchronized (lock) {
                first = head;
                if (first == null || running >= allowed) {
                    return;
                }
                permit = new Permit(this, now, running + 1);
                running++;
                remove(first);
            }
            hand(permit, first);
        }
    }

    /** Gives a permit to a waiter. Never throws, so that serve() continues with the next waiter. */
    private static void hand(Permit permit, Waiter to) {
        boolean taken = false;
        try {
            taken = to.granted(permit);
        } catch (Throwable t) { // the permit is given back below
            UserCode.uncaught(t);
        }
        if (!taken) {
            permit.undo();
            UserCode.guarded(to::refused);
        }
    }

    private int allowed(long now) {
        int allowed = Math.max(1, limiter.maxConcurrency(now));
        if (allowed != lastLimit) {
            lastLimit = allowed;
        }
        return allowed;
    }

    private void append(Waiter waiter) {
        waiter.isQueued = true;
        waiter.previous = tail;
        if (tail == null) {
            head = waiter;
        } else {
            tail.next = waiter;
        }
        tail = waiter;
        pending++;
    }

    private void remove(Waiter waiter) {
        Waiter before = waiter.previous;
        Waiter after = waiter.next;
        if (before == null) {
            head = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            tail = before;
        } else {
            after.previous = before;
        }
        waiter.previous = null;
        waiter.next = null;
        waiter.isQueued = false; // Bulkhead-3
        pending--;
    }

    /**
     * Returns the counts of the bulkhead, as they were at some time during the call.
     *
     * <ul>
     *   <li>{@link Stats#running} is the number of permits that calls hold, {@link Stats#pending} the number of calls
     *       that wait, and {@link Stats#completed} the number of permits that were given back.
     *   <li>{@link Stats#rejected} is the number of calls that got no permit and did not wait. A hedge that is not made
     *       is not counted.
     *   <li>{@link Stats#dropped} is the number of calls that left the queue without a permit, since their time was up
     *       or they were cancelled.
     *   <li>{@link Stats#accepted} is the sum of the running, pending, completed and dropped calls.
     *   <li>{@link Stats#capacity} is the maximum number of waiting calls. {@link Stats#maxConcurrency} is the last
     *       limit that the limiter has returned, at least 1; 1 before the first call.
     * </ul>
     */
    public Stats stats() {
        return stats(name);
    }

    /** Returns the counts as those of {@code of}. */
    Stats stats(String of) {
        synchronized (lock) {
            long accepted = ended + running + pending + withdrawn;
            return new Figures(
                    of, accepted, ended, 0, rejected, withdrawn, 0, 0, pending, running, capacity, lastLimit);
        }
    }

    /** Returns a string with the name, the numbers of running and waiting calls, and their limits. */
    @Override
    public String toString() {
        synchronized (lock) {
            return "bulkhead " + name + " (" + running + " of " + lastLimit + " at once, " + pending + " of " + capacity
                    + " waiting)";
        }
    }

    /** A call that waits for a permit. */
    abstract static class Waiter {
        private @Nullable Waiter previous;
        private @Nullable Waiter next;
        private volatile boolean isQueued; // written under the lock

        /** Takes the permit. Returns false if the permit is no longer needed. Called once, without a lock. */
        abstract boolean granted(Permit permit);

        /** Called after {@link #granted} has returned false and the permit has been taken back. */
        abstract void refused();
    }
}
