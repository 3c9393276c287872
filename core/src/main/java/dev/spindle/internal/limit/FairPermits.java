// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.limit;

import dev.spindle.internal.Interrupts;
import dev.spindle.internal.WaitList;
import dev.spindle.internal.WaitOrigin;
import dev.spindle.internal.wait.WaitQueue;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The permits of a bound or limit, and the FIFO queue of submitters or lanes that wait for one. */
public abstract class FairPermits {
    /*
     * A subclass counts the free permits (the room), and changes the count by CAS. The monitor of this object guards
     * the queue (WaitQueue). While there are no waiters, a thread that takes or gives back a permit does not
     * enter the monitor. No user code runs under the monitor.
     *
     * A thread that is parked in `await` is a submitter under OnFull.block. The submitter leaves `await` when it is
     * admitted or interrupted, when its timeout passes, or when its executor shuts down (`refuse`). A submit that is
     * not admitted is rejected (Admission). A lane of a key space with a limit (TurnLimit) waits without a thread, and
     * leaves the queue only when it is admitted.
     *
     * field        writers                            readers   mode
     * waiters      submitters, makers of room,        all       volatile, written under the monitor
     *              refusals
     * queue        the same                           the same  guarded by the monitor
     * Waiter.in    makers of room                     its own   guarded by the monitor
     *
     * No waiter is told under the monitor that it is admitted, since a lane that becomes ready may start a thread.
     *
     * FairPermits-1  A submitter that does not wait takes a permit only if there are no waiters. A thread that frees a
     *     permit takes it for the first waiter, so no submitter overtakes a waiter.
     * FairPermits-2  A submitter or lane joins the queue, and then takes free permits for the first waiters; a thread
     * that
     *     frees a permit changes the count, and then reads `waiters`. So the waiter sees the permit, or that thread
     *     sees the waiter, and none waits while a permit is free.
     * FairPermits-3  A waiter leaves the queue once, under the monitor: admitted, refused, or withdrawn. A waiter that
     *     is admitted while its timeout passes, or while it is interrupted, uses its permit.
     * FairPermits-4  A thread that shuts down an executor publishes the shutdown, and then refuses the waiters of that
     *     executor; a submitter joins the queue, and then checks for a shutdown. So the submitter sees the shutdown, or
     *     that thread refuses the submitter.
     *
     * Tests: FairPermitsTest, BoundsContractTest, TurnLimitTest; jcstress TokenWaitAgainstRoom, PlacesWaitAgainstRoom
     * (FairPermits-2), WaitAgainstRefusal (FairPermits-4).
     */
    private volatile int waiters;
    private final WaitQueue<Waiter> queue = new WaitQueue<>();

    FairPermits() {}

    /**
     * Takes a permit, regardless of waiters. Returns false if no permit is free. Called with and without the monitor.
     */
    abstract boolean take();

    /** Gives one permit back. */
    public abstract void giveBack();

    /** Returns whether a permit is free, regardless of waiters. */
    public abstract boolean isFree();

    /** Takes a permit. Returns false if no permit is free, or if there are waiters. */
    public final boolean tryTake() {
        return waiters == 0 && take(); // FairPermits-1
    }

    /** Equivalent to {@link #join(long, BooleanSupplier)} followed by {@link #await(Submitter, long)}. */
    public final boolean await(long nanos, long since, BooleanSupplier shut) throws InterruptedException {
        return await(join(since, shut), nanos);
    }

    /**
     * Joins the end of the queue of submitters. The caller must then call {@link #await(Submitter, long)} or
     * {@link #withdraw}.
     *
     * @param since the time at which the wait started, in nanoseconds, for {@link #listWaits}
     * @param shut a condition that is true after the submitter's executor was shut down; called under the monitor
     */
    public final Submitter join(long since, BooleanSupplier shut) {
        Submitter waiter = new Submitter(since, shut);
        join(waiter);
        return waiter;
    }

    /** Joins the end of the queue. {@code waiter} may be admitted before this method returns. */
    public final void join(Waiter waiter) {
        add(waiter);
        letIn(); // FairPermits-2
    }

    /**
     * Waits until the submitter is admitted, for at most {@code nanos} nanoseconds, and leaves the queue.
     *
     * @return true if the submitter has a permit; false if the timeout passed, or the executor was shut down
     */
    public final boolean await(Submitter waiter, long nanos) throws InterruptedException {
        try {
            if (!waiter.shut.getAsBoolean()) { // FairPermits-4
                boolean unused = waiter.over.await(nanos, TimeUnit.NANOSECONDS);
            }
        } catch (Throwable t) { // for example, interrupted
            if (!leave(waiter)) {
                throw t;
            }
            if (t instanceof InterruptedException) {
                Interrupts.sendAndReport(Thread.currentThread());
            }
        }
        return leave(waiter);
    }

    /** Removes a submitter from the queue without a wait. If the submitter was admitted, gives its permit back. */
    public final void withdraw(Submitter waiter) {
        if (leave(waiter)) {
            giveBack();
        }
    }

    private synchronized void add(Waiter waiter) {
        queue.add(waiter);
        waiters = queue.size();
    }

    /** Removes a waiter from the queue, if it is still there, and returns whether it was admitted. */
    private synchronized boolean leave(Waiter waiter) {
        if (queue.remove(waiter)) { // FairPermits-3
            waiters = queue.size();
        }
        return waiter.in;
    }

    /** Admits waiters after room was made. */
    final void made() {
        if (waiters != 0) {
            letIn();
        }
    }

    private void letIn() {
        for (Waiter waiter = admitFirst(); waiter != null; waiter = admitFirst()) {
            waiter.over();
        }
    }

    private synchronized @Nullable Waiter admitFirst() {
        Waiter first = queue.first();
        if (first == null || !take()) {
            return null;
        }
        first.in = true;
        boolean unused = leave(first);
        return first;
    }

    /** Refuses all waiters whose executor was shut down. Takes time proportional to the number of waiters. */
    public final void refuse() {
        if (waiters == 0) {
            return;
        }
        List<Waiter> refused;
        synchronized (this) {
            refused = queue.removeIf(Waiter::isRefused);
            waiters = queue.size();
        }
        refused.forEach(Waiter::over); // outside the monitor, so no worker waits for this
    }

    /** Returns an estimate of the number of waiters. */
    public final int waiters() {
        return waiters;
    }

    /**
     * Adds each waiter to {@code list}, with {@code to} as the object that has no room. Takes time proportional to the
     * number of waiters.
     */
    public final void listWaits(Object to, WaitList list) {
        if (waiters != 0) {
            waiting().forEach(waiter -> list.room(waiter.party(), to, waiter.since));
        }
    }

    private synchronized List<Waiter> waiting() {
        return queue.toList();
    }

    /** A party that waits for a permit. */
    public abstract static class Waiter extends WaitQueue.Waiter<Waiter> {
        private final long since;
        private boolean in;

        /** Creates a waiter; {@code since} is the start of the wait, in nanoseconds. */
        protected Waiter(long since) {
            this.since = since;
        }

        /** Returns the party that waits, as {@link WaitList#room} takes it. */
        protected abstract Object party();

        /** Returns true if a shutdown ends the wait. Called under the monitor. */
        protected boolean isRefused() {
            return false;
        }

        /** Called once, without the monitor, when this waiter has a permit or was refused. */
        protected abstract void over();
    }

    /** A submitter that waits for a permit. */
    public static final class Submitter extends Waiter {
        private final CountDownLatch over = new CountDownLatch(1);
        private final WaitOrigin origin = WaitOrigin.ofThread();
        private final BooleanSupplier shut;

        private Submitter(long since, BooleanSupplier shut) {
            super(since);
            this.shut = shut;
        }

        @Override
        protected Object party() {
            return origin;
        }

        @Override
        protected boolean isRefused() {
            return shut.getAsBoolean();
        }

        @Override
        protected void over() {
            over.countDown();
        }

        /** Returns whether the wait is over: the submitter was admitted, or its executor was shut down. */
        public boolean isOver() {
            return over.getCount() == 0 || isRefused();
        }
    }
}
