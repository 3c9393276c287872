// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import dev.spindle.NanoClock;
import dev.spindle.Spindle;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many calls go on at once, and how many wait for their turn. Endpoints that share a bulkhead share its
 * permits: one for a database, say, that several endpoints use.
 *
 * <pre>{@code
 * Bulkhead database = Bulkhead.of(spindle, "orders-db", Limiter.fixed(32), 100);
 * }</pre>
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread. They do not block and take constant time, but for
 * the calls that are started by what they give back.
 *
 * <p><b>Order.</b> Waiting calls are served in the order in which they came, and nobody gets past them. A call that
 * waited is started by a thread of the spindle: the one that runs actions of {@link dev.spindle.TimeLimit}, or a
 * worker. One whose time is up, or that is cancelled, leaves the queue at once.
 *
 * <p><b>Rejection.</b> A call that finds no permit and no room to wait is {@linkplain Outcome.Rejected rejected}.
 */
public final class Bulkhead {
    /*
     * Guarded by `lock`: inFlight, waiting, the list from head to tail and the links of its waiters. The limiter, which
     * is foreign code, is asked before the lock is taken.
     *
     * Bulkhead-1  inFlight is the number of permits that were handed out and not given back.
     * Bulkhead-2  When nobody is inside a method, either nobody waits or inFlight has reached what the limiter last
     *             allowed: whoever lowers inFlight, or finds that more is allowed, serves the queue afterwards.
     * Bulkhead-3  A waiter leaves the list once, with a permit or by withdraw(), never both.
     *
     * A waiter's `isQueued` is written under the lock and may be read without, by withdraw() at the end of an attempt:
     * whoever appends looks afterwards whether the attempt has ended, under its monitor, and then withdraws it. So one
     * that reads false too early is no loss.
     *
     * serve() is a loop that no waiter can make recursive: a waiter that cannot be started says so, and the loop itself
     * takes the permit back. So a long queue that is refused as a whole needs no deep stack.
     */
    /** Says that a call waits; not a permit that anybody holds. */
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
     * @param name for messages
     * @param waiting how many calls may wait for a permit, 0 for none
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
     * Returns a permit if one is free and nobody waits for it, else null. It must be given back, however the work ends.
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
            if (head == null && inFlight < allowed) {
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
        serve(); // more is allowed than when those in front came
        return result;
    }

    /** Takes a waiter out of the queue, if it is in there. */
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
            Reports.uncaught(t);
        }
        ignored();
    }

    void ignored() {
        if (undone()) {
            serve();
        }
    }

    /** Returns whether somebody waits. */
    boolean undone() {
        synchronized (lock) {
            inFlight--;
            return head != null;
        }
    }

    /** Hands free permits to those who wait. */
    private void serve() {
        for (; ; ) {
            long now = clock.nanoTime();
            int allowed;
            try {
                allowed = allowed(now);
            } catch (Throwable t) {
                Reports.uncaught(t);
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

    /** What fails here fails alone: the others in the queue are served. */
    private static void hand(Permit permit, Waiter to) {
        boolean taken = false;
        try {
            taken = to.granted(permit);
        } catch (Throwable t) { // no memory
            Reports.uncaught(t);
        }
        if (!taken) {
            permit.undo();
            Reports.guarded(to::refused);
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
        waiter.isQueued = false;
        waiting--;
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns how many permits are out. */
    public int inFlight() {
        synchronized (lock) {
            return inFlight;
        }
    }

    /** Returns how many calls wait. */
    public int waiting() {
        synchronized (lock) {
            return waiting;
        }
    }

    /** Returns how many calls may go on at once, as the limiter said when it was last asked; 1 before that. */
    public int limit() {
        return lastLimit;
    }

    /** Returns a string with the name, the calls at once and those that wait, and their limits. */
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

        /** Takes the permit; false if there is no use for it. Called once, with no lock held. */
        abstract boolean granted(Permit permit);

        /** Called after {@link #granted} has returned false, when the permit is back. */
        abstract void refused();
    }
}
