// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.NanoClock;
import dev.spindle.internal.AdaptiveSpin;
import dev.spindle.internal.Interrupts;
import dev.spindle.internal.WaitList;
import dev.spindle.messaging.Headroom;
import dev.spindle.messaging.OwnTasks;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Admits publishers: keeps them waiting while the ring is full, and lets none in once the pipeline is closed. */
final class PublisherGate<E> {
    /*
     * All but the usual case goes through one lock: a full ring, and a pipeline that is drained or halted. Publishers
     * and end stages look at one word to know that the case is the usual one.
     *
     * field      writers            readers       mode
     * special    holders of lock    all           volatile
     * state      holders of lock    all           volatile
     * cause      who halts          all           plain, written before `state`, read after it
     * the rest   holders of lock    the same      lock
     *
     * PublisherGate-1  While anybody waits, WAITING is set, and later publishers wait behind (P1: the order of each
     *     publisher's events).
     * PublisherGate-2  Who begins to wait sets WAITING and then looks at the ends; an end stage moves on and then looks
     *     at WAITING. Both are volatile, so one sees the other: nobody waits beside a free slot for ever. The stage
     *     lets waiters in when half of the ring is free. That comes, unless the next event is still with its filler,
     *     which may itself wait for one that waits here: an end stage that has caught up with such an event lets in
     *     whom it can. A waiter that leaves the queue lets in those behind it, which may need fewer slots, and one
     *     whose time has passed looks once more before it leaves.
     * PublisherGate-3  A publisher commits and then looks at CLOSED, and so does a stage that has seen a committed
     *     event, before it handles it; a drain sets CLOSED and then looks for the last committed event. What any of
     *     them finds is waited for; once the end is reached the publisher is rejected, and the stage leaves the event
     *     alone. So each event is handled, or handed to the drop handler, or its publisher is told, and only one of
     *     these (F3, S1).
     * PublisherGate-4  No foreign code runs under the lock, nor on a thread that owes others anything: threads that
     *     wait are let go first; fillers and stages of asynchronous publishers that have waited, the stages of drain()
     *     and halt() and the drop handler are run by Callbacks, each in a task of its own.
     * PublisherGate-5  With one publisher, commits are in sequence: nobody claims while the filler of one that waited
     *     runs elsewhere.
     * PublisherGate-6  Events of one claim share their fate: they are committed under the lock, where a drain or a halt
     *     finds all of them or none.
     * PublisherGate-7  After a shutdown of the spindle SHUT is set: publishers that wait or come are refused unless
     *     they are workers of it, for what these do was accepted. The spindle is held until the events that were
     *     claimed by then have left; of each later one a stage is ready, or runs.
     *
     * Tests: PipelineTest, PipelineBatchTest, PipelineProtocolTest, RandomProgramStressTest, PipelineLincheckTest
     * (PublisherGate-3); jcstress WaitAgainstFree (PublisherGate-2), PublishAgainstDrain (PublisherGate-3),
     * PublishLater (PublisherGate-5), PublishAllAgainstDrain, PublishAllAgainstHalt (PublisherGate-6).
     */
    private static final int WAITING = 1;
    private static final int CLOSED = 2;
    private static final int SHUT = 4;
    private static final NanoClock CLOCK = NanoClock.system(); // by which threads park

    private final String name;
    private final Ring<E> ring;
    private final Filling<E> filling;
    private final Callbacks callbacks;
    private final int enoughFree;
    private final AdaptiveSpin spin = AdaptiveSpin.ofWaiters(CLOCK::nanoTime);
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashSet<WaitingPublisher<E>> waiters = new LinkedHashSet<>(); // in their order; any may leave
    private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
    private final Set<Long> holes = new HashSet<>();
    // with one publisher: the filler of one that waited has not been committed yet (PublisherGate-5)
    private boolean fillingLater;
    private volatile int special;
    private volatile PipelineState state = PipelineState.OPEN;
    private @Nullable Throwable cause;
    private long last; // where the accepted events end, once it is closed
    private boolean held; // whether this keeps the spindle, which was shut down, from terminating
    private long heldUntil;

    /** Fills and commits a slot for a publisher that has gone. */
    interface Filling<E> {
        void fill(long sequence, Consumer<? super E> filler);
    }

    PublisherGate(String name, Ring<E> ring, Filling<E> filling, Callbacks callbacks) {
        this.name = name;
        this.ring = ring;
        this.filling = filling;
        this.callbacks = callbacks;
        enoughFree = Math.max(1, ring.size() / 2);
    }

    String name() {
        return name;
    }

    /** Returns whether nobody waits and the pipeline is open. */
    boolean isUsual() {
        return special == 0;
    }

    boolean isHalted() {
        PipelineState now = state;
        return now == PipelineState.HALTING || now == PipelineState.HALTED;
    }

    /** Returns whether no stage has anything to do any more. */
    boolean isOver() {
        PipelineState now = state;
        return now != PipelineState.OPEN && now != PipelineState.DRAINING;
    }

    PipelineState state() {
        return state;
    }

    /**
     * Completes when the pipeline was drained, or fails when it was halted. For threads that wait; see {@link #ended}.
     */
    CompletableFuture<@Nullable Void> end() {
        return end;
    }

    /** Returns a stage of a user's own that completes as {@link #end} does. */
    CompletableFuture<@Nullable Void> ended() {
        return callbacks.stageOf(end);
    }

    // ---------------------------------------------------------------- publishers

    /** Claims so many numbers without waiting and returns the first, or returns {@link Ring#FULL}. */
    long tryClaim(int count) {
        if (!isUsual()) {
            requireOpen();
            if ((special & WAITING) != 0) {
                return Ring.FULL; // those that wait come first
            }
        }
        return ring.tryClaim(count);
    }

    /**
     * Claims so many numbers, and waits for all of them behind all that wait already.
     *
     * @return the first, or {@link Ring#FULL} when the time has passed
     */
    long claim(int count, long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long begin = CLOCK.nanoTime();
        WaitingPublisher<E> waiter = new WaitingPublisher<>(Thread.currentThread(), count, callbacks.nanoTime());
        enqueue(waiter);
        long limit = callbacks.await(waiter::isDecided, nanos, () -> abandon(waiter, true));
        spin.await(() -> waiter.isDecided() || Thread.currentThread().isInterrupted(), limit);
        boolean interrupted = false;
        while (!waiter.isDecided()) {
            long waited = CLOCK.nanoTime() - begin;
            if (waited >= limit && abandon(waiter, true)) {
                return Ring.FULL;
            }
            if (Thread.interrupted()) {
                interrupted = true;
                if (abandon(waiter, false)) {
                    throw new InterruptedException();
                }
            } else {
                LockSupport.parkNanos(this, limit - waited);
            }
        }
        if (interrupted) {
            Interrupts.sendAndReport(Thread.currentThread()); // it came too late to take the claim back
        }
        if (waiter.sequence == WaitingPublisher.REFUSED) {
            throw closed();
        }
        return waiter.sequence;
    }

    /** Publishes as soon as there is a slot, on whichever thread then comes by. */
    CompletableFuture<@Nullable Void> claimLater(Consumer<? super E> filler) {
        WaitingPublisher<E> waiter = new WaitingPublisher<>(this, filler, callbacks.nanoTime());
        enqueue(waiter);
        return waiter;
    }

    private void enqueue(WaitingPublisher<E> waiter) {
        List<WaitingPublisher<E>> ready = new ArrayList<>();
        boolean open;
        lock.lock();
        try {
            open = state == PipelineState.OPEN && !isShutToCaller();
            if (open) {
                waiter.inside = callbacks.isWorking();
                waiters.add(waiter);
                special |= WAITING; // before the look at the ends (PublisherGate-2)
                admit(ready);
            }
        } finally {
            lock.unlock();
        }
        if (!open) {
            throw closed();
        }
        letGo(ready);
    }

    /**
     * Takes a waiter out of the queue, and lets in those behind it.
     *
     * @param look whether to look for its slots once more before
     * @return false when it has left the queue
     */
    boolean abandon(WaitingPublisher<E> waiter, boolean look) {
        List<WaitingPublisher<E>> ready = new ArrayList<>();
        boolean left;
        lock.lock();
        try {
            if (look) {
                admit(ready);
            }
            left = waiters.remove(waiter);
            if (left) {
                admit(ready);
            }
        } finally {
            lock.unlock();
        }
        letGo(ready);
        if (left) {
            tryEnd();
        }
        return left;
    }

    /** Claims for those that wait, oldest first, as long as slots are free; with the lock. */
    private void admit(List<WaitingPublisher<E>> ready) {
        while (!waiters.isEmpty() && !fillingLater) {
            WaitingPublisher<E> waiter = waiters.iterator().next();
            int count = waiter.count;
            long sequence = ring.tryClaim(count);
            if (sequence == Ring.FULL) {
                break;
            }
            waiters.remove(waiter);
            waiter.sequence = sequence;
            last = Math.max(last, sequence + count); // a drain lets through who waits
            ready.add(waiter);
            fillingLater = ring.isSingle() && waiter.thread == null;
        }
        noteWaiting();
    }

    private void admitAndLetGo() {
        List<WaitingPublisher<E>> ready = new ArrayList<>();
        lock.lock();
        try {
            admit(ready);
        } finally {
            lock.unlock();
        }
        letGo(ready);
    }

    private void noteWaiting() {
        if (waiters.isEmpty() && !fillingLater && (special & WAITING) != 0) {
            special &= ~WAITING;
        }
    }

    /** Without the lock: wakes threads, then has the others published. */
    private void letGo(List<WaitingPublisher<E>> ready) {
        for (WaitingPublisher<E> waiter : ready) {
            if (waiter.thread != null) {
                LockSupport.unpark(waiter.thread);
            }
        }
        for (WaitingPublisher<E> waiter : ready) {
            if (waiter.thread == null) {
                callbacks.run(own -> fillLater(waiter, waiter.filler(), own));
            }
        }
    }

    private void fillLater(WaitingPublisher<E> waiter, Consumer<? super E> filler, boolean own) {
        Throwable failure = null;
        try {
            filling.fill(waiter.sequence, filler);
        } catch (Throwable t) {
            failure = t;
        }
        OwnTasks.clearInterrupt(own);
        if (ring.isSingle()) {
            List<WaitingPublisher<E>> ready = new ArrayList<>();
            lock.lock();
            try {
                fillingLater = false;
                admit(ready); // nobody else could meanwhile
            } finally {
                lock.unlock();
            }
            letGo(ready);
        }
        if (failure == null) {
            waiter.published();
        } else {
            waiter.failed(failure);
        }
    }

    /** Commits all numbers of a claim, from the first to before the last (PublisherGate-6). */
    void commit(long from, long to) {
        lock.lock();
        try {
            ring.commit(from, to);
            if (state == PipelineState.DRAINING) {
                last = Math.max(last, to); // or a stage could reach the end when it has handled some of them
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Called after a commit, with the last number of the claim.
     *
     * @return false if it was too late for the end, so that no stage handles the event
     */
    boolean committed(long sequence) {
        if ((special & CLOSED) == 0) {
            return true;
        }
        boolean inTime = true;
        lock.lock();
        try {
            switch (state) {
                case DRAINING -> last = Math.max(last, sequence + 1);
                case DRAINED, HALTED -> inTime = sequence < last && !holes.contains(sequence);
                default -> {} // the halt will find it
            }
        } finally {
            lock.unlock();
        }
        tryEnd();
        return inTime;
    }

    /** Adds those who wait for a slot, which {@code last} frees. */
    void listWaits(Object last, WaitList list) {
        Headroom.require();
        List<WaitingPublisher<E>> all = List.of();
        lock.lock();
        try {
            all = new ArrayList<>(waiters);
        } finally {
            lock.unlock();
        }
        all.forEach(waiter -> list.room(waiter.origin, last, waiter.since));
    }

    // ---------------------------------------------------------------- stages

    /**
     * Called by a stage that comes after no other, when it has seen that events are committed and before it handles
     * them.
     *
     * @return false if the end has come without them
     */
    boolean includes(long to) {
        if ((special & CLOSED) == 0) {
            return true; // so a drain that comes now finds them committed
        }
        lock.lock();
        try {
            if (state == PipelineState.DRAINING) {
                last = Math.max(last, to);
            }
            return state != PipelineState.DRAINED;
        } finally {
            lock.unlock();
        }
    }

    /** Called by an end stage that finds nothing to handle. */
    void caughtUp() {
        if ((special & WAITING) != 0 && !ring.isCommitted(ring.leastDone())) {
            admitAndLetGo(); // what comes next is still being filled
        }
    }

    /** Called by an end stage after it has moved on. */
    void moved() {
        int now = special;
        if (now == 0) {
            return;
        }
        if ((now & WAITING) != 0 && ring.free() >= enoughFree) {
            admitAndLetGo();
        }
        if ((now & CLOSED) != 0) {
            tryEnd();
        }
        if ((now & SHUT) != 0) {
            letGoOfSpindle();
        }
    }

    // ---------------------------------------------------------------- end

    /** Called after a shutdown of the spindle, in the thread that shuts down (PublisherGate-7). */
    void shut() {
        List<WaitingPublisher<E>> refused = new ArrayList<>();
        List<WaitingPublisher<E>> ready = new ArrayList<>();
        lock.lock();
        try {
            special |= SHUT;
            for (WaitingPublisher<E> waiter : waiters) {
                if (!waiter.inside) {
                    refused.add(waiter);
                }
            }
            waiters.removeAll(refused);
            admit(ready);
            heldUntil = ring.claimed();
            held = held || (ring.leastDone() < heldUntil && callbacks.hold());
        } finally {
            lock.unlock();
        }
        refused.forEach(this::refuse);
        letGo(ready);
        tryEnd();
        letGoOfSpindle();
    }

    private void letGoOfSpindle() {
        boolean release;
        lock.lock();
        try {
            release = held && (ring.leastDone() >= heldUntil || isOver());
            held = held && !release;
        } finally {
            lock.unlock();
        }
        if (release) {
            callbacks.release();
        }
    }

    /** Lets in nobody new. The end comes when all that is committed, or waits to be, has left the last stages. */
    void drain() {
        lock.lock();
        try {
            if (state == PipelineState.OPEN) {
                state = PipelineState.DRAINING;
                special |= CLOSED;
                VarHandle.fullFence(); // before the look at what is committed, whatever its mode (PublisherGate-3)
                last = Math.max(last, lastCommitted());
            }
        } finally {
            lock.unlock();
        }
        tryEnd();
    }

    private long lastCommitted() {
        long least = ring.leastDone();
        for (long next = ring.claimed(); next > least; next--) {
            if (ring.isCommitted(next - 1)) {
                return next;
            }
        }
        return least;
    }

    private void tryEnd() {
        lock.lock();
        try {
            if (state != PipelineState.DRAINING || !waiters.isEmpty() || ring.leastDone() < last) {
                return;
            }
            state = PipelineState.DRAINED;
        } finally {
            lock.unlock();
        }
        end.complete(null);
        letGoOfSpindle(); // the claims that came too late are not waited for
    }

    /**
     * Stops everything: refuses those that wait. Stages see it before their next event.
     *
     * @return whether this call did it
     */
    boolean halt(Throwable why) {
        lock.lock();
        try {
            if (state != PipelineState.OPEN && state != PipelineState.DRAINING) {
                return false;
            }
            cause = why;
            state = PipelineState.HALTING;
            special |= CLOSED;
            VarHandle.fullFence(); // before endHalt looks at what is committed (PublisherGate-3)
        } finally {
            lock.unlock();
        }
        for (WaitingPublisher<E> waiter = nextRefused(); waiter != null; waiter = nextRefused()) {
            refuse(waiter);
        }
        return true;
    }

    /** Takes one out that waits, after the halt, which lets nobody in. */
    private @Nullable WaitingPublisher<E> nextRefused() {
        lock.lock();
        try {
            WaitingPublisher<E> waiter =
                    waiters.isEmpty() ? null : waiters.iterator().next();
            waiters.remove(waiter);
            noteWaiting();
            return waiter;
        } finally {
            lock.unlock();
        }
    }

    private void refuse(WaitingPublisher<E> waiter) {
        if (waiter.thread == null) {
            callbacks.run(own -> waiter.failed(closed()));
        } else {
            waiter.sequence = WaitingPublisher.REFUSED;
            LockSupport.unpark(waiter.thread);
        }
    }

    /**
     * Called once when the stages have stopped after a halt: returns the numbers of the events that were accepted and
     * not handled.
     */
    List<Long> endHalt() {
        List<Long> left = new ArrayList<>();
        lock.lock();
        try {
            last = ring.claimed();
            for (long next = ring.leastDone(); next < last; next++) {
                if (!ring.isCommitted(next)) {
                    holes.add(next); // its publisher will be told
                } else if (!ring.voids().has(next)) {
                    left.add(next);
                }
            }
            state = PipelineState.HALTED;
        } finally {
            lock.unlock();
        }
        return left;
    }

    /** Completes {@link #end} when the halt is over. */
    void halted() {
        end.completeExceptionally(closed());
        letGoOfSpindle();
    }

    private void requireOpen() {
        if (state != PipelineState.OPEN || isShutToCaller()) {
            throw closed();
        }
    }

    private boolean isShutToCaller() {
        return (special & SHUT) != 0 && !callbacks.isWorking();
    }

    /** Without the lock: the cause may have code of its own, which may throw. */
    PipelineClosedException closed() {
        PipelineState now = state; // which was written after the cause
        Throwable why = cause;
        String message = "pipeline " + name + " " + now.text() + " and takes no more events";
        return why == null
                ? new PipelineClosedException(message)
                : new PipelineClosedException(message + "; it was halted by: " + described(why), why);
    }

    private static String described(Throwable why) {
        try {
            return why.toString();
        } catch (Throwable t) {
            return why.getClass().getName();
        }
    }
}
