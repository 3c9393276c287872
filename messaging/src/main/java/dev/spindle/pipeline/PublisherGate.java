// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.ClosedException;
import dev.spindle.internal.AdaptiveSpin;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.Interrupts;
import dev.spindle.internal.WaitList;
import dev.spindle.internal.wait.WaitQueue;
import dev.spindle.messaging.OwnTasks;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The admission of publishers, which wait while the ring is full, and are rejected when the pipeline is closed. */
final class PublisherGate<E> {
    /*
     * One lock guards the queue of waiting publishers and the end of the pipeline. An end stage is a stage that no
     * stage follows. Publishers and end stages first read one word, `special`, which is 0 if no publisher waits, the
     * pipeline is open, and the spindle was not shut down.
     *
     * field      writers            readers       mode
     * special    holders of lock    all           volatile
     * state      holders of lock    all           volatile
     * cause      the halting thread all           plain, written before `state`, read after it
     * the rest   holders of lock    the same      lock
     *
     * PublisherGate-1  While a publisher waits, WAITING is set, and later publishers wait behind it (P1).
     * PublisherGate-2  No publisher waits while its slots stay free: a publisher sets WAITING and then reads the `done`
     *     of the end stages; an end stage writes `done` and then reads WAITING. An end stage admits waiters when half
     *     of the ring is free, or when the next event is not committed yet.
     * PublisherGate-3  Each event is either handled, or dropped by a halt, or rejected with an exception to its
     *     publisher (F3, S1). A publisher commits and then reads CLOSED, and a first stage reads CLOSED before it
     *     handles the event; a drain sets CLOSED and then searches for the last committed event. The first report of a
     *     halt rejects all events that are not committed, even if a stage never stops.
     * PublisherGate-4  A thread that admits waiters runs no user code before it has released the lock and woken all
     *     admitted threads. HostExecutor runs the fillers of asynchronous publishers that had to wait, dependents of
     *     futures and the drop handler.
     * PublisherGate-5  With a single publisher, commits are in sequence: from the admission of an asynchronous
     *     publisher until the commit of its event, no other publisher claims.
     * PublisherGate-6  A drain or a halt includes all events of a claim or none of them, since the publisher commits
     *     them under the lock.
     * PublisherGate-7  After a shutdown of the spindle, SHUT is set: publishers that are not its workers are rejected,
     *     even if they were waiting. The gate keeps the spindle from terminating until the events claimed before the
     *     shutdown have left the pipeline; tasks of the spindle publish later events, and then stages have tasks until
     *     these events are handled.
     *
     * A waiter that leaves the queue admits the waiters behind it. A waiter whose time has passed tries to claim its
     * slots once more before it leaves.
     *
     * Tests: PipelineTest, PipelineBatchTest, PipelineProtocolTest, RandomProgramStressTest, PipelineLincheckTest
     * (PublisherGate-3); jcstress WaitAgainstFree (PublisherGate-2), PublishAgainstDrain (PublisherGate-3),
     * PublishLater (PublisherGate-5), PublishAllAgainstDrain, PublishAllAgainstHalt (PublisherGate-6).
     */
    private static final int WAITING = 1 << 0;
    private static final int CLOSED = 1 << 1;
    private static final int SHUT = 1 << 2;
    private static final LongSupplier CLOCK = System::nanoTime; // for parking threads

    private final String name;
    private final Ring<E> ring;
    private final Filling<E> filling;
    private final HostExecutor host;
    private final int enoughFree;
    private final AdaptiveSpin spin = AdaptiveSpin.ofWaiters(CLOCK);
    private final ReentrantLock lock = new ReentrantLock();
    private final WaitQueue<WaitingPublisher<E>> waiters = new WaitQueue<>();
    private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
    private final Set<Long> holes = new HashSet<>();
    // with a single publisher, true from the admission of an asynchronous publisher until the commit of its event
    private boolean fillingLater;
    private volatile int special;
    private volatile PipelineState state = PipelineState.OPEN;
    private @Nullable Throwable cause;
    private long last; // the number after the last accepted event, when the pipeline is closed
    private boolean cut; // true once a halt has decided which events were accepted
    private boolean held; // true if this gate keeps a spindle that was shut down from terminating
    private long heldUntil;

    /** A function that fills and commits a slot for an asynchronous publisher. */
    interface Filling<E> {
        void fill(long sequence, Consumer<? super E> filler);
    }

    PublisherGate(String name, Ring<E> ring, Filling<E> filling, HostExecutor host) {
        this.name = name;
        this.ring = ring;
        this.filling = filling;
        this.host = host;
        enoughFree = Math.max(1, ring.size() / 2);
    }

    String name() {
        return name;
    }

    /** Returns true if no publisher waits, the pipeline is open, and the spindle was not shut down. */
    boolean isUsual() {
        return special == 0;
    }

    boolean isHalted() {
        PipelineState now = state;
        return now == PipelineState.HALTING || now == PipelineState.HALTED;
    }

    /** Returns whether no stage will handle further events. */
    boolean isOver() {
        PipelineState now = state;
        return now != PipelineState.OPEN && now != PipelineState.DRAINING;
    }

    PipelineState state() {
        return state;
    }

    /** Returns the future that completes normally after a drain and exceptionally after a halt. */
    CompletableFuture<@Nullable Void> end() {
        return end;
    }

    /** Returns the cause of a halt, or null. */
    @Nullable
    Throwable cause() {
        return cause;
    }

    /** Returns a future for a user that completes as {@link #end} does. */
    CompletableFuture<@Nullable Void> ended() {
        return host.stageOf(end);
    }

    // ---------------------------------------------------------------- publishers

    /** Claims numbers if enough slots are free and no publisher waits. Returns the first, or {@link Ring#FULL}. */
    long tryClaim(int count) {
        if (!isUsual()) {
            requireOpen();
            if ((special & WAITING) != 0) {
                return Ring.FULL; // waiting publishers come first
            }
        }
        return ring.tryClaim(count);
    }

    /**
     * Claims {@code count} numbers. Waits for their slots, behind the publishers that already wait.
     *
     * @return the first number, or {@link Ring#FULL} if the time has passed
     */
    long claim(int count, long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long begin = CLOCK.getAsLong();
        WaitingPublisher<E> waiter = new WaitingPublisher<>(Thread.currentThread(), count, host.nanoTime());
        enqueue(waiter);
        long limit = host.await(waiter::isDecided, nanos, () -> abandon(waiter, true));
        BooleanSupplier over =
                () -> waiter.isDecided() || Thread.currentThread().isInterrupted();
        spin.await(over, AdaptiveSpin.yieldUntil(over, limit, CLOCK));
        boolean interrupted = false;
        while (!waiter.isDecided()) {
            long waited = CLOCK.getAsLong() - begin;
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
            Interrupts.sendAndReport(Thread.currentThread()); // the interrupt came too late to withdraw the waiter
        }
        if (waiter.sequence == WaitingPublisher.REFUSED) {
            throw closed();
        }
        return waiter.sequence;
    }

    /** Enqueues a publisher. Returns the future of its event. */
    CompletableFuture<@Nullable Void> claimLater(Consumer<? super E> filler) {
        WaitingPublisher.Event<E> event = new WaitingPublisher.Event<>(this, filler, host.nanoTime());
        enqueue(event);
        return event.future;
    }

    private void enqueue(WaitingPublisher<E> waiter) {
        List<WaitingPublisher<E>> ready = new ArrayList<>();
        boolean open;
        lock.lock();
        try {
            open = state == PipelineState.OPEN && !isShutToCaller();
            if (open) {
                waiter.inside = host.isWorking();
                waiters.add(waiter);
                // PublisherGate-2
                special |= WAITING; // before admit() reads the `done` of the end stages (PublisherGate-2)
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
     * Removes a waiter from the queue, and admits the waiters behind it.
     *
     * @param look true to admit waiters before the removal, perhaps {@code waiter} itself
     * @return false if {@code waiter} was not in the queue
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

    /** Claims slots for waiters in order, while slots are free and not {@code fillingLater}. Called under the lock. */
    private void admit(List<WaitingPublisher<E>> ready) {
        for (WaitingPublisher<E> waiter = waiters.first(); waiter != null && !fillingLater; waiter = waiters.first()) {
            int count = waiter.count;
            long sequence = ring.tryClaim(count);
            if (sequence == Ring.FULL) {
                break;
            }
            boolean unused = waiters.remove(waiter);
            waiter.sequence = sequence;
            last = Math.max(last, sequence + count); // a drain includes the events of waiters
            ready.add(waiter);
            fillingLater = ring.isSingle() && waiter instanceof WaitingPublisher.Event; // PublisherGate-5
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

    /** Wakes the admitted threads, then publishes the asynchronous events. Called without the lock. */
    private void letGo(List<WaitingPublisher<E>> ready) {
        for (WaitingPublisher<E> waiter : ready) {
            LockSupport.unpark(waiter.thread); // no effect for an event, which has no thread
        }
        for (WaitingPublisher<E> waiter : ready) {
            if (waiter instanceof WaitingPublisher.Event<E> event) {
                host.run(own -> fillLater(event, own));
            }
        }
    }

    private void fillLater(WaitingPublisher.Event<E> event, boolean own) {
        Throwable failure = null;
        try {
            filling.fill(event.sequence, event.filler);
        } catch (Throwable t) {
            failure = t;
        }
        OwnTasks.clearInterrupt(own);
        if (ring.isSingle()) {
            List<WaitingPublisher<E>> ready = new ArrayList<>();
            lock.lock();
            try {
                fillingLater = false;
                admit(ready); // no waiter was admitted while fillingLater was true
            } finally {
                lock.unlock();
            }
            letGo(ready);
        }
        if (failure == null) {
            event.future.succeed(null);
        } else {
            event.future.fail(failure);
        }
    }

    /** Commits the numbers {@code [from, to)} of a claim (PublisherGate-6). */
    void commit(long from, long to) { // PublisherGate-6
        lock.lock();
        try {
            ring.commit(from, to);
            if (state == PipelineState.DRAINING) { // PublisherGate-6
                last = Math.max(last, to); // otherwise the drain could end after some events of this claim
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Called after a commit, with the last number of the claim.
     *
     * @return false if the pipeline had ended before the commit, so that no stage handles the event
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
                // unless it was cut, the halt will include the event
                default -> inTime = !cut || (sequence < last && !holes.contains(sequence));
            }
        } finally {
            lock.unlock();
        }
        tryEnd();
        return inTime;
    }

    /** Adds the waiting publishers to {@code list}; {@code last} is the stage that frees their slots. */
    void listWaits(Object last, WaitList list) {
        Headroom.requireTwice();
        List<WaitingPublisher<E>> all = List.of();
        lock.lock();
        try {
            all = waiters.toList();
        } finally {
            lock.unlock();
        }
        all.forEach(waiter -> list.room(waiter.origin, last, waiter.since));
    }

    // ---------------------------------------------------------------- stages

    /**
     * Called by a first stage before it handles committed events, up to the number {@code to}.
     *
     * @return false if the pipeline has ended without these events
     */
    boolean includes(long to) {
        if ((special & CLOSED) == 0) {
            return true; // a drain that begins later sees that the events are committed
        }
        lock.lock();
        try {
            if (state == PipelineState.DRAINING) {
                last = Math.max(last, to); // PublisherGate-3
            }
            return state != PipelineState.DRAINED;
        } finally {
            lock.unlock();
        }
    }

    /** Called by an end stage that has no event to handle. */
    void caughtUp() {
        if ((special & WAITING) != 0 && !ring.isCommitted(ring.leastDone())) {
            admitAndLetGo(); // while the next event is being filled, moved() is not called
        }
    }

    /** Called by an end stage after it has moved {@code done}. */
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

    /** Called after a shutdown of the spindle (PublisherGate-7). */
    void shut() {
        List<WaitingPublisher<E>> refused = List.of();
        List<WaitingPublisher<E>> ready = new ArrayList<>();
        lock.lock();
        try {
            special |= SHUT;
            refused = waiters.removeIf(waiter -> !waiter.inside);
            admit(ready);
            heldUntil = ring.claimed();
            held = held || (ring.leastDone() < heldUntil && host.hold()); // PublisherGate-7
        } finally {
            lock.unlock();
        }
        refuse(refused);
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
            host.release();
        }
    }

    /** Rejects new publishers. The pipeline ends when the stages have handled the events of all other publishers. */
    void drain() {
        lock.lock();
        try {
            if (state == PipelineState.OPEN) {
                state = PipelineState.DRAINING;
                special |= CLOSED;
                VarHandle.fullFence(); // lastCommitted() reads the stamps by acquire reads (PublisherGate-3)
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
        letGoOfSpindle(); // even if claims that the drain does not include are open
    }

    /**
     * Halts the pipeline and rejects the waiting publishers. Stages see the halt before their next event.
     *
     * @return false if the pipeline was halted or drained before
     */
    boolean halt(Throwable why) {
        List<WaitingPublisher<E>> refused = List.of();
        lock.lock();
        try {
            if (state != PipelineState.OPEN && state != PipelineState.DRAINING) {
                return false;
            }
            cause = why;
            state = PipelineState.HALTING;
            special |= CLOSED;
            VarHandle.fullFence(); // endHalt() reads the stamps by acquire reads (PublisherGate-3)
            refused = waiters.removeIf(waiter -> true);
            noteWaiting();
        } finally {
            lock.unlock();
        }
        refuse(refused);
        return true;
    }

    /** Wakes the refused threads, then fails the futures. Called without the lock. */
    private void refuse(List<WaitingPublisher<E>> refused) {
        for (WaitingPublisher<E> waiter : refused) {
            waiter.sequence = WaitingPublisher.REFUSED;
            LockSupport.unpark(waiter.thread); // no effect for an event, which has no thread
        }
        for (WaitingPublisher<E> waiter : refused) {
            if (waiter instanceof WaitingPublisher.Event<E> event) {
                host.run(own -> event.future.fail(closed()));
            }
        }
    }

    /**
     * Returns the numbers of the accepted events that not all end stages have passed. Called after a halt; the first
     * call decides which events are accepted.
     *
     * @param stopped true if the stages have stopped
     */
    List<Long> left(boolean stopped) {
        List<Long> left = new ArrayList<>();
        lock.lock();
        try {
            last = cut ? last : ring.claimed();
            cut = true;
            for (long next = ring.leastDone(); next < last; next++) {
                if (!ring.isCommitted(next)) {
                    holes.add(next); // its publisher will be rejected
                } else if (!holes.contains(next) && !ring.voids().has(next)) {
                    left.add(next);
                }
            }
            state = stopped ? PipelineState.HALTED : state;
        } finally {
            lock.unlock();
        }
        return left;
    }

    /** Completes {@link #end} after a halt. */
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
        return (special & SHUT) != 0 && !host.isWorking();
    }

    /** Returns the exception for a rejected publisher. Called without the lock, since this runs user code. */
    ClosedException closed() {
        PipelineState now = state; // read before the cause, which is written first
        Throwable why = cause;
        String message = "pipeline " + name + " " + now.text() + " and takes no more events";
        return new ClosedException(why == null ? message : message + "; it was halted by: " + described(why), why);
    }

    private static String described(Throwable why) {
        try {
            return why.toString();
        } catch (Throwable t) {
            return why.getClass().getName();
        }
    }
}
