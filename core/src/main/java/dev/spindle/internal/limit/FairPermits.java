// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.limit;

import dev.spindle.internal.Interrupts;
import dev.spindle.internal.WaitList;
import dev.spindle.internal.WaitOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The permits of a bound, and the FIFO queue of submitters that wait for one. */
public abstract class FairPermits {
    /*
     * The room is a count in the subclass, changed by CAS. The waiters are a list under this object's monitor, which no
     * thread takes while there are none. No foreign code runs under that monitor.
     *
     * A thread that is parked in `await` is a submitter under OnFull.block. It leaves when it is admitted, when its
     * time ends, when it is interrupted, or when its executor shuts down (`refuse`). Unless it is admitted, the submit
     * is rejected (Admission).
     *
     * field        writers                            readers   mode
     * waiters      submitters, makers of room,        all       volatile, written under the monitor
     *              refusals
     * first, last  the same                           the same  guarded by the monitor
     * Waiter.in    makers of room                     its own   guarded by the monitor
     *
     * FairPermits-1  A submit takes room only if there are no waiters; otherwise it joins the end of the queue. A
     *     thread that makes room takes the room for the first waiter, so no submit overtakes a waiter.
     * FairPermits-2  A submitter joins the queue, then takes the free room for the first waiters; a thread that makes
     *     room changes the count, then reads `waiters`. So the submitter sees the room, or that thread sees the waiter,
     *     and no submitter waits while there is room.
     * FairPermits-3  A waiter leaves the queue once, under the monitor: admitted, refused, or withdrawn. A waiter that
     *     is admitted while its time ends, or while it is interrupted, uses its permit.
     * FairPermits-4  A shutdown is published before it refuses the waiters that it concerns. A submitter joins the
     *     queue, then checks for a shutdown: so the submitter sees the shutdown, or the shutdown refuses it.
     *
     * Tests: FairPermitsTest, BoundsContractTest; jcstress TokenWaitAgainstRoom, PlacesWaitAgainstRoom (FairPermits-2),
     * WaitAgainstRefusal (FairPermits-4).
     */
    private volatile int waiters;
    private @Nullable Waiter first;
    private @Nullable Waiter last;

    FairPermits() {}

    /** Takes room regardless of waiters; false if there is none. Also called under the monitor. */
    abstract boolean take();

    /** Gives one permit back. */
    public abstract void giveBack();

    /** Returns whether there is room, regardless of waiters. */
    public abstract boolean isFree();

    /** Takes room; false if there is none, or there are waiters. */
    public final boolean tryTake() {
        return waiters == 0 && take(); // FairPermits-1
    }

    /** Equivalent to {@link #join} followed by {@link #await(Waiter, long)}. */
    public final boolean await(long nanos, long since, BooleanSupplier shut) throws InterruptedException {
        return await(join(since, shut), nanos);
    }

    /**
     * Joins the end of the queue of submitters; {@link #await(Waiter, long)} or {@link #withdraw} has to follow.
     *
     * @param since the start of the wait, for {@link #listWaits}
     * @param shut a condition, true if the submitter's executor was shut down; called under the monitor
     */
    public final Waiter join(long since, BooleanSupplier shut) {
        Waiter waiter = new Waiter(since, shut);
        join(waiter);
        letIn(); // FairPermits-2
        return waiter;
    }

    /**
     * Waits until the submitter is admitted, and leaves the queue.
     *
     * @return false if there was no room for {@code nanos}, or the executor was shut down; then no permit was taken
     */
    public final boolean await(Waiter waiter, long nanos) throws InterruptedException {
        try {
            if (!waiter.shut.getAsBoolean()) { // FairPermits-4
                boolean unused = waiter.await(nanos, TimeUnit.NANOSECONDS);
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

    /** Takes a submitter that gives up out of the queue; gives its permit back if it was admitted. */
    public final void withdraw(Waiter waiter) {
        if (leave(waiter)) {
            giveBack();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the monitor
    private synchronized void join(Waiter waiter) {
        waiter.before = last;
        if (last == null) {
            first = waiter;
        } else {
            last.next = waiter;
        }
        last = waiter;
        waiter.queued = true;
        waiters++;
    }

    /** Takes a waiter out of the queue if it is there, and returns whether it was admitted. */
    private synchronized boolean leave(Waiter waiter) {
        if (waiter.queued) { // FairPermits-3
            unlink(waiter);
        }
        return waiter.in;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the monitor
    private void unlink(Waiter waiter) {
        Waiter before = waiter.before;
        Waiter next = waiter.next;
        if (before == null) {
            first = next;
        } else {
            before.next = next;
        }
        if (next == null) {
            last = before;
        } else {
            next.before = before;
        }
        waiter.before = null;
        waiter.next = null;
        waiter.queued = false;
        waiters--;
    }

    /** Admits waiters after room was made. */
    final void made() {
        if (waiters != 0) {
            letIn();
        }
    }

    private synchronized void letIn() {
        for (Waiter waiter = first; waiter != null && take(); waiter = first) {
            unlink(waiter);
            waiter.in = true;
            waiter.countDown();
        }
    }

    /** Refuses all waiters whose executor was shut down. Takes time in proportion to the waiters. */
    public final void refuse() {
        if (waiters == 0) {
            return;
        }
        Waiter refused = takeRefused();
        for (Waiter waiter = refused; waiter != null; waiter = waiter.next) {
            waiter.countDown(); // outside the monitor, which workers may need
        }
    }

    private synchronized @Nullable Waiter takeRefused() {
        Waiter refused = null;
        Waiter previous;
        for (Waiter waiter = last; waiter != null; waiter = previous) {
            previous = waiter.before;
            if (waiter.shut.getAsBoolean()) {
                unlink(waiter);
                waiter.next = refused;
                refused = waiter;
            }
        }
        return refused;
    }

    /** Returns an estimate of the number of waiting submitters. */
    public final int waiters() {
        return waiters;
    }

    /** Adds the submitters that wait for a permit of {@code to}. Takes time in proportion to them. */
    public final void listWaits(Object to, WaitList list) {
        if (waiters != 0) {
            waiting().forEach(waiter -> list.room(waiter.origin, to, waiter.since));
        }
    }

    private synchronized List<Waiter> waiting() {
        List<Waiter> all = new ArrayList<>();
        for (Waiter waiter = first; waiter != null; waiter = waiter.next) {
            all.add(waiter);
        }
        return all;
    }

    /** A submitter in the queue. */
    public static final class Waiter extends CountDownLatch {
        private final WaitOrigin origin = WaitOrigin.ofThread();
        private final long since;
        private final BooleanSupplier shut;
        private boolean queued;
        private boolean in;
        private @Nullable Waiter before;
        private @Nullable Waiter next;

        private Waiter(long since, BooleanSupplier shut) {
            super(1);
            this.since = since;
            this.shut = shut;
        }

        /** Returns whether the wait is over: the submitter was admitted, or its executor was shut down. */
        public boolean isOver() {
            return getCount() == 0 || shut.getAsBoolean();
        }
    }
}
