// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.wait;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A FIFO queue of waiters, which any waiter may leave. A lock of the class that has the queue guards it. Each method
 * takes constant time, except those that return a list.
 */
public final class WaitQueue<W extends WaitQueue.Waiter<W>> {
    /*
     * WaitQueue-1  A waiter enters the queue once and leaves it once, under the lock: served, refused or withdrawn. Of
     *     several threads that remove a waiter, `remove` returns true to one, which decides what becomes of the waiter.
     * WaitQueue-2  No waiter is forgotten: a waiter joins the queue, and then looks for what it waits for; a thread
     *     that makes it available does so, and then looks for waiters. A class whose lock guards both needs no more. A
     *     class that makes it available without the lock has a volatile mark for "the queue is not empty", written
     *     under the lock.
     *
     * Tests: WaitQueueTest (WaitQueue-1). The mark is a field of the class that has the queue, and so are its tests:
     * FairPermits-2 (`waiters`), Mailbox-5 (`awaited`), PublisherGate-2 (WAITING). ChannelCore has no mark.
     */
    private static final VarHandle QUEUED;

    static {
        try {
            QUEUED = MethodHandles.lookup().findVarHandle(Waiter.class, "queued", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private @Nullable W first;
    private @Nullable W last;
    private int size;

    /** Adds a waiter, which was in no queue, at the end. */
    public void add(W waiter) {
        W before = last;
        waiter.before = before;
        if (before == null) {
            first = waiter;
        } else {
            before.after = waiter;
        }
        last = waiter;
        waiter.queued = true;
        size++;
    }

    /** Removes {@code waiter}; returns false if it has left the queue. */
    public boolean remove(W waiter) {
        if (!waiter.queued) { // WaitQueue-1
            return false;
        }
        W before = waiter.before;
        W after = waiter.after;
        if (before == null) {
            first = after;
        } else {
            before.after = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.before = before;
        }
        waiter.before = null;
        waiter.after = null;
        QUEUED.setRelease(waiter, false);
        size--;
        return true;
    }

    /** Removes and returns the waiters that meet {@code condition}, in order. */
    public List<W> removeIf(Predicate<W> condition) {
        List<W> removed = toList();
        removed.removeIf(condition.negate());
        removed.forEach(this::remove);
        return removed;
    }

    /** Returns the first waiter, or null. */
    public @Nullable W first() {
        return first;
    }

    public boolean isEmpty() {
        return first == null;
    }

    public int size() {
        return size;
    }

    /** Returns a new list of the waiters, in order. */
    public List<W> toList() {
        List<W> all = new ArrayList<>(size);
        for (W waiter = first; waiter != null; waiter = waiter.after) {
            all.add(waiter);
        }
        return all;
    }

    /** A waiter, for one queue. */
    public abstract static class Waiter<W extends Waiter<W>> {
        boolean queued;

        @Nullable
        W before;

        @Nullable
        W after;

        protected Waiter() {}

        /** Returns whether this waiter is in the queue. A thread without the lock may read true too late. */
        public final boolean isQueued() {
            return (boolean) QUEUED.getAcquire(this);
        }
    }
}
