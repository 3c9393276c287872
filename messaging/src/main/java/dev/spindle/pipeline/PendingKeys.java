// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** The keys that have an update to deliver, in the order in which they became pending, each with its latest. */
final class PendingKeys<K, V> {
    /*
     * Each key has a slot (KeySlots) whose one field is the latest update. An offer swaps its update in by CAS. If it
     * found another one, that is superseded and nothing else happens: no place, no start. If it found none, it pushes a
     * place for the slot (PendingQueue), and if the queue was idle, it starts a run. The run, which owns the queue,
     * comes to the place, puts null in its stead and delivers what it found; from then on an offer needs a new place.
     *
     *   latest:  null    not pending                      -> first (offer), retired (owner)
     *            first   pending, its place on the way    -> null or retired (its offer, refused), null (owner)
     *            update  pending, with a place            -> update (offer), null (owner)
     *            retired out of the map, for good
     *
     * field      writers        readers   mode
     * latest     offers, owner  all       volatile, CAS
     * waiting    senders        offers    atomic
     * closed     closers        all       volatile, set once
     * abandoned   see PendingKeys-6         all       volatile, CAS
     *
     * PendingKeys-1  The owner of the queue (PendingQueue-1) is a run that is scheduled or runs, so no two deliveries
     *     overlap.
     * PendingKeys-2  An update leaves its slot by one read-modify-write, by which it is superseded, taken, or refused:
     *     exactly one.
     * PendingKeys-3  Only the offer that changed null pushes a place, and null comes back only when the owner is at
     *     that place. So a slot has at most one place, and a newer update stands in the place of the first. Values of a
     *     key are delivered in the order of the CASes of its slot.
     * PendingKeys-4  Only an update whose place is in the queue is superseded: else the superseder could return, make
     *     another key pending, and see that one delivered first; or be accepted while the first is refused. An offer
     *     that finds an update without its place waits the few instructions until it has one or is gone. Owners never
     *     wait.
     * PendingKeys-5  What happens before an offer happens-before the delivery of its value, or of the one that has
     *     superseded it: each CAS of the slot reads the one before, and the owner's reads the last.
     * PendingKeys-6  An owner that could not start a run, and a run that was withdrawn, leave the queue without one as
     *     long as `abandoned` says so; who clears that is the owner. Offers look at it, and closers before they wait.
     *     Nobody waits for room in a queue that is abandoned: a sender that finds it full tries to start a run, and is
     *     refused with what that throws; whoever else could not start one has all senders look again.
     * PendingKeys-7  A close first sets `closed`, then claims an idle queue. A finish that has left the queue idle
     *     looks at `closed` and claims it back. One of them sees the other, and ends the queue as CLOSED. A push fails
     *     from then on, so nothing is accepted after the last run.
     * PendingKeys-8  Senders that wait count themselves, then try again; the owner first moves on, then looks whether
     *     anybody waits. While somebody does, offers get no new place, so those who came first are served first.
     *
     * Tests: PendingKeysLincheckTest, PendingKeysBoundLincheckTest, CoalescerRunsLincheckTest; jcstress
     * OfferAgainstTake, OfferAgainstOffer, OfferAgainstRetire, OfferAgainstClose, FinishAgainstClose,
     * OfferThenOfferElsewhere, OfferThenTake, SendAgainstRoom. From the cell and the lane of dev.spindle.internal; what
     * differs is that a key's slot is found by hash, and that the bound is in the word.
     */
    /** The outcome of an offer. */
    enum Outcome {
        /** Pending, or superseded later. */
        ACCEPTED,
        /** No room for another key. */
        FULL,
        /** Closed. */
        CLOSED
    }

    private static final VarHandle ABANDONED;

    static {
        try {
            ABANDONED = MethodHandles.lookup().findVarHandle(PendingKeys.class, "abandoned", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final KeySlots<K, V> slots;
    private final PendingQueue<K, V> queue;
    private final @Nullable BinaryOperator<V> merge;
    private final Runnable starter;
    private final Runnable unstarted;
    private final Runnable ended;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean closed;
    private volatile boolean abandoned;

    /**
     * @param maxKeys how many keys may be pending
     * @param remembered how many keys may be remembered, pending ones included
     * @param merge makes the update that takes the place of two; null: the newer
     * @param starter schedules a run; may throw
     * @param unstarted called after a run could not be started, when somebody waits for room, or for the end
     * @param ended called once, when nothing is pending and nothing will be accepted any more
     */
    PendingKeys(
            int maxKeys,
            int remembered,
            @Nullable BinaryOperator<V> merge,
            Runnable starter,
            Runnable unstarted,
            Runnable ended) {
        slots = new KeySlots<>(remembered);
        queue = new PendingQueue<>(maxKeys);
        this.merge = merge;
        this.starter = starter;
        this.unstarted = unstarted;
        this.ended = ended;
    }

    // ---------------------------------------------------------------- offers

    /**
     * Makes {@code value} the latest of {@code key}. Throws what key code, the merge or the starter throws, and then
     * nothing was accepted.
     *
     * @param waited whether the caller is the first of those who wait for room
     */
    Outcome offer(K key, V value, boolean waited) {
        while (!closed) {
            KeySlot<K, V> slot = slots.of(key);
            Outcome outcome = offer(slot, value, waited);
            if (outcome != null) {
                return outcome;
            }
            slots.remove(slot);
        }
        return Outcome.CLOSED;
    }

    /** Null when the slot is retired. */
    private @Nullable Outcome offer(KeySlot<K, V> slot, V value, boolean waited) {
        for (; ; ) {
            KeyUpdate<V> current = slot.latest();
            if (current == null) {
                KeyUpdate<V> first = KeyUpdate.first(value);
                // before the CAS: a failed allocation leaves nothing behind
                PendingNode<K, V> place = new PendingNode<>(slot);
                if (slot.replace(null, first)) {
                    return place(slot, first, place, waited);
                }
            } else if (current.isRetired()) {
                return null;
            } else if (!current.hasPlace()) {
                Thread.yield(); // its offer is between two instructions, or not running just now (PendingKeys-4)
            } else if (slot.replace(current, KeyUpdate.after(current, merged(current, value)))) {
                resume();
                return Outcome.ACCEPTED;
            }
        }
    }

    private V merged(KeyUpdate<V> older, V value) {
        return merge == null
                ? value
                : Objects.requireNonNull(
                        merge.apply(older.value(), value), "the merge function returned null, which is no value");
    }

    private Outcome place(KeySlot<K, V> slot, KeyUpdate<V> first, PendingNode<K, V> place, boolean waited) {
        PendingQueue.Push pushed = !waited && waiting.get() > 0 ? PendingQueue.Push.FULL : queue.push(place);
        if (pushed == PendingQueue.Push.FIRST || pushed == PendingQueue.Push.QUEUED) {
            first.placed();
            if (pushed == PendingQueue.Push.FIRST || claimStranded()) {
                start(slot, first);
            }
            return Outcome.ACCEPTED;
        }
        if (!slots.takeBack(slot, first)) {
            resume();
            return Outcome.ACCEPTED;
        }
        if (waited) {
            restart(); // else it would wait for a run that nobody starts (PendingKeys-6)
        } else {
            resume();
        }
        return pushed == PendingQueue.Push.FULL ? Outcome.FULL : Outcome.CLOSED;
    }

    /** Starts a run for the queue that the caller owns; if that fails, the caller's update is not accepted. */
    private void start(KeySlot<K, V> slot, KeyUpdate<V> first) {
        try {
            starter.run();
        } catch (Throwable t) {
            boolean withdrawn;
            try {
                withdrawn = slots.takeBack(slot, first); // else it was superseded by one that was accepted
            } finally {
                leaveUnstarted();
            }
            if (withdrawn) {
                throw t;
            }
        }
    }

    /**
     * Gives up a queue for which no run could be started: as idle if nothing is pending, else abandoned
     * (PendingKeys-6).
     */
    private void leaveUnstarted() {
        for (PendingNode<K, V> place = queue.peek();
                place != null && !place.slot().isPending();
                place = queue.peek()) {
            queue.next();
        }
        if (!finish()) {
            abandoned = true;
        }
        tellWaiters();
    }

    private void tellWaiters() {
        if (closed || isAwaited()) {
            unstarted.run();
        }
    }

    /** Adds to the count of senders that wait for room. */
    void waits(int senders) {
        waiting.addAndGet(senders);
    }

    boolean isAwaited() {
        return waiting.get() > 0;
    }

    // ---------------------------------------------------------------- the owner

    /** Moves to the next pending key and returns its slot; null when none is left. */
    @Nullable
    KeySlot<K, V> next() {
        PendingNode<K, V> place = queue.next();
        return place == null ? null : place.slot();
    }

    /** Remembers a slot that was taken, and forgets others. What key code throws reaches the caller. */
    void remember(KeySlot<K, V> slot) {
        slots.taken(slot);
    }

    boolean hasMore() {
        return queue.hasMore();
    }

    /** Ends the ownership; false while anything is pending, and the caller goes on. */
    boolean finish() {
        boolean forGood = closed;
        if (!queue.finish(forGood)) {
            return false;
        }
        if (forGood) {
            ended.run();
            return true;
        }
        return !closed || !queue.claim(); // a close came meanwhile: go on, to end for good (PendingKeys-7)
    }

    /** Leaves the queue without an owner although something may be pending. */
    void abandon() {
        abandoned = true;
    }

    /** Starts a run for a queue that is abandoned, if that can be done now. */
    void resume() {
        try {
            restart();
        } catch (
                Throwable t) { // of no concern to the caller; an offer that makes a key pending, and a sender, are told
            tellWaiters();
        }
    }

    /** Starts a run for a queue that is abandoned; throws, and it is abandoned as before, when that fails. */
    private void restart() {
        if (claimStranded()) {
            start();
        }
    }

    /** Makes the caller the owner of a queue that was abandoned. */
    boolean claimStranded() {
        return abandoned && ABANDONED.compareAndSet(this, true, false);
    }

    // ---------------------------------------------------------------- closing

    /** Accepts nothing from now on. */
    void close() {
        closed = true;
    }

    /** Makes the caller the owner if nobody is, so that somebody ends the queue. After {@link #close}. */
    boolean claim() {
        return queue.claim() || claimStranded();
    }

    boolean isClosed() {
        return closed;
    }

    /** Starts a run for the queue that the caller owns; throws, and the queue is abandoned, when that fails. */
    void start() {
        try {
            starter.run();
        } catch (Throwable t) {
            abandoned = true;
            throw t;
        }
    }

    long estimatedPending() {
        return queue.estimatedSize();
    }

    int estimatedWaiting() {
        return waiting.get();
    }

    int estimatedRemembered() {
        return slots.estimatedSize();
    }
}
