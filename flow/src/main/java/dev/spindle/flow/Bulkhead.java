// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import dev.spindle.NanoClock;
import dev.spindle.Spindle;
import dev.spindle.flow.internal.Headroom;
import dev.spindle.flow.internal.UserCode;
import dev.spindle.flow.limit.Limiter;
import org.jspecify.annotations.Nullable;

/**
 * A bound on the numbers of concurrent and waiting calls. Endpoints that share a bulkhead share its permits, such as
 * the endpoints of one database.
 *
 * <pre>{@code
 * Bulkhead database = Bulkhead.of(spindle, "orders-db", Limiter.fixed(32), 100);
 * }</pre>
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread. They do not block, and take constant time plus the
 * time to start the calls that get a permit.
 *
 * <p><b>Order.</b> Waiting calls get permits in the order in which they came, and no later call overtakes them. A call
 * that waited is started by a thread of the spindle: the one that runs actions of {@link dev.spindle.TimeLimit}, or a
 * worker. A call whose time is up, or that is cancelled, leaves the queue at once.
 *
 * <p><b>Rejection.</b> A call that finds no permit and no room to wait is {@linkplain Outcome.Rejected rejected}.
 */
public final class Bulkhead {
    /*
     * Guarded by `lock`: inFlight, waiting, the list from head to tail and the links of its waiters. The limiter, which
     * is foreign code, is asked before the lock is taken.
     *
     * Bulkhead-1  `inFlight` is the number of permits that were given out and not given back.
     * Bulkhead-2  While no method runs, the queue is empty or `inFlight` has reached the last limit of the limiter: a
     *     thread that lowers `inFlight`, or finds a higher limit, serves the queue afterwards.
     * Bulkhead-3  A waiter leaves the list once, with a permit or by withdraw(), never both.
     *
     * A waiter's `isQueued` is written under the lock. The end of an attempt reads it without the lock, in withdraw(),
     * and may read false too early: the thread that appends the waiter checks afterwards, under the attempt's monitor,
     * whether the attempt has ended, and then withdraws it.
     *
     * The loop of serve() is not recursive: a waiter that cannot be started returns false, and the loop takes the
     * permit back. So the refusal of a long queue needs no deep stack.
     */
    /** The result of acquire() for a call that waits; this permit is never held. */
    final Permit queued = new Permit(this, 0, 0);

    private final String name;
    private final NanoClock clock;
    private final Limiter limiter;
    private final int mostWaiting;
    private final Object lock = new Object();
    private int inFlight;
    private int waiting;
    private @Nullable Waiter head;
    private @Nullable Waiter tail;
    private volatile int lastLimit = 1;

    private Bulkhead(NanoClock clock, String name, Limiter limiter, int mostWaiting) {
        this.clock = clock;
        this.name = name;
        this.limiter = limiter;
        this.mostWaiting = mostWaiting;
    }

    /**
     * Returns a new bulkhead.
     *
     * @param name the name for messages
     * @param waiting the maximum number of calls that wait for a permit
     * @throws IllegalArgumentException if {@code waiting} is negative
     */
    public static Bulkhead of(Spindle spindle, String name, Limiter limiter, int waiting) {
        if (waiting < 0) {
            throw new IllegalArgumentException("waiting must not be negative, is " + waiting);
        }
        return new Bulkhead(
                requireNonNull(spindle, "spindle").clock(),
                requireNonNull(name, "name"),
                requireNonNull(limiter, "limiter"),
                waiting);
    }

    /**
     * Returns a permit if one is free and no call waits for it, else null. It must be given back, however the work
     * ends.
     */
    public @Nullable Permit tryAcquire() {
        Headroom.forOneStep();
        return enter(null);
    }

    /** Returns a permit, or {@link #queued}, or null if there is no room to wait. */
    @Nullable
    Permit acquire(Waiter waiter) {
        return enter(waiter);
    }

    private @Nullable Permit enter(@Nullable Waiter waiter) {
        long now = clock.nanoTime();
        int allowed = allowed(now);
        Permit result = null;
        synchronized (lock) {
            if (head == null && inFlight < allowed) { // B5
                Permit permit = new Permit(this, now, inFlight + 1);
                inFlight++;
                return permit;
            }
            if (waiter != null && waiting < mostWaiting) {
                append(waiter);
                result = queued;
            }
            if (inFlight >= allowed) {
                return result;
            }
        }
        serve(); // more calls are allowed than when the calls in front came
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
            }
        }
    }

    void ended(long since, long lessNanos, int inFlightThen, boolean overloaded) {
        long now = clock.nanoTime();
        try {
            limiter.ended(now, Math.max(0, now - since - lessNanos), inFlightThen, overloaded);
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

    /** Lowers {@code inFlight}; returns true if a call waits. */
    boolean undone() {
        synchronized (lock) {
            inFlight--;
            return head != null;
        }
    }

    /** Gives free permits to waiting calls. */
    private void serve() {
        for (; ; ) {
            long now = clock.nanoTime();
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
                if (first == null || inFlight >= allowed) {
                    return;
                }
                permit = new Permit(this, now, inFlight + 1);
                inFlight++;
                remove(first);
            }
            hand(permit, first);
        }
    }

    /** Gives a permit to a waiter. After a failure, the other waiters are served all the same. */
    private static void hand(Permit permit, Waiter to) {
        boolean taken = false;
        try {
            taken = to.granted(permit);
        } catch (Throwable t) { // memory was exhausted
            UserCode.uncaught(t);
        }
        if (!taken) {
            permit.undo();
            UserCode.guarded(to::refused);
        }
    }

    private int allowed(long now) {
        int allowed = Math.max(1, limiter.limit(now));
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
        waiting++;
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
        waiting--;
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns the number of permits that calls hold. */
    public int inFlight() {
        synchronized (lock) {
            return inFlight;
        }
    }

    /** Returns the number of calls that wait. */
    public int waiting() {
        synchronized (lock) {
            return waiting;
        }
    }

    /** Returns the limit that the limiter last returned; 1 before the first call. */
    public int limit() {
        return lastLimit;
    }

    /** Returns a string with the name, the numbers of running and waiting calls, and their limits. */
    @Override
    public String toString() {
        synchronized (lock) {
            return "bulkhead " + name + " (" + inFlight + " of " + lastLimit + " at once, " + waiting + " of "
                    + mostWaiting + " waiting)";
        }
    }

    /** A call that waits for a permit. */
    abstract static class Waiter {
        private @Nullable Waiter previous;
        private @Nullable Waiter next;
        private volatile boolean isQueued; // written under the lock

        /** Takes the permit; false if the permit is no longer needed. Called once, with no lock held. */
        abstract boolean granted(Permit permit);

        /** Called after {@link #granted} has returned false and the permit has been taken back. */
        abstract void refused();
    }
}
