// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** The pending keys of a coalescer, in the order in which they became pending, each with its latest update. */
final class PendingKeys<K, V> {
    /*
     * Each key has a slot (KeySlots), whose one shared field is the latest update. An offer installs its update by CAS.
     * If the offer replaces another update, it supersedes that update. If the offer replaces null, it pushes a place
     * for the slot (PendingQueue), and starts a run if the queue was idle. The run, which owns the queue, reaches the
     * place, replaces the update by null and delivers it; after that an offer needs a new place.
     *
     *   latest:  null    not pending                      -> first (offer), retired (owner)
     *            first   pending, its place not pushed    -> null or retired (its offer, refused), null (owner)
     *            update  pending, with a place            -> update (offer), null (owner)
     *            retired not in the map; final
     *
     * field      writers        readers   mode
     * latest     offers, owner  all       volatile, CAS
     * waiting    senders        offers    atomic
     * closed     closers        all       volatile, set once
     * abandoned   see PendingKeys-6         all       volatile, CAS
     *
     * PendingKeys-1  The owner of the queue (PendingQueue-1) is a run that is scheduled or executing, so no two
     *     deliveries overlap.
     * PendingKeys-2  An update leaves its slot by one read-modify-write, which supersedes, takes or refuses the update.
     * PendingKeys-3  A slot has at most one place: only the offer that replaces null pushes a place, and only the
     *     owner, at that place, restores null. Values of a key are delivered in the order of the CASes of its slot.
     * PendingKeys-4  Only an update whose place is in the queue is superseded; an offer that finds an update without a
     *     place yields until the place is pushed or the update is gone. Otherwise the superseding offer could return,
     *     and a key that its thread makes pending afterwards could be delivered first.
     * PendingKeys-5  Actions before an offer happen-before the delivery of its value, or of the update that superseded
     *     it: each CAS of the slot reads the value of the previous CAS, up to the CAS of the owner.
     * PendingKeys-6  A queue whose run could not be started, or was withdrawn, has no owner while `abandoned` is set,
     *     and the thread that clears the flag becomes the owner. Offers and closers read the flag; a sender that finds
     *     the queue full tries to start a run, and is refused if that fails.
     * PendingKeys-7  A close sets `closed` and then claims an idle queue; a finish makes the queue idle and then reads
     *     `closed`. So the closer claims the queue, or the finish sees `closed`; that thread closes the queue, and
     *     later pushes fail.
     * PendingKeys-8  A waiting sender counts itself and then tries again; the owner makes room and then reads the
     *     count. While a sender waits, offers get no new place.
     *
     * Tests: PendingKeysLincheckTest, PendingKeysBoundLincheckTest, CoalescerRunsLincheckTest; jcstress
     * OfferAgainstTake, OfferAgainstOffer, OfferAgainstRetire, OfferAgainstClose, FinishAgainstClose,
     * OfferThenOfferElsewhere, OfferThenTake, SendAgainstRoom. Derived from the cell and the lane of
     * dev.spindle.internal; here a key's slot is found by hash, and the word holds the bound.
     */
    /** The outcome of an offer. */
    enum Outcome {
        /** The update is pending. */
        ACCEPTED,
        /** There is no room for another key. */
        FULL,
        /** The keys are closed. */
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
     * @param maxKeys the maximum number of pending keys
     * @param remembered the maximum number of remembered keys, including pending keys
     * @param merge the function that merges an older and a newer value, or null to use the newer value
     * @param starter an action that schedules a run; may throw
     * @param unstarted an action that is run when no run could be started while a sender or a closer waits
     * @param ended an action that is run once, when no key is pending and no update will be accepted
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
     * Makes {@code value} the latest of {@code key}. An exception that a key, the merge or the starter throws is passed
     * to the caller; the update is then not accepted.
     *
     * @param waited true if the caller is the first of the waiting senders
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

    /** Offers to {@code slot}; returns null if the slot is retired. */
    private @Nullable Outcome offer(KeySlot<K, V> slot, V value, boolean waited) {
        for (; ; ) {
            KeyUpdate<V> current = slot.latest();
            if (current == null) {
                KeyUpdate<V> first = KeyUpdate.first(value);
                // allocated before the CAS, so that a failed allocation leaves nothing behind
                PendingNode<K, V> place = new PendingNode<>(slot);
                if (slot.replace(null, first)) {
                    return place(slot, first, place, waited);
                }
            } else if (current.isRetired()) {
                return null;
            } else if (!current.hasPlace()) { // PendingKeys-4
                Thread.yield(); // the thread that offers it is between two instructions, or preempted (PendingKeys-4)
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
            restart(); // otherwise the sender would wait for a run that no thread starts (PendingKeys-6)
        } else {
            resume();
        }
        return pushed == PendingQueue.Push.FULL ? Outcome.FULL : Outcome.CLOSED;
    }

    /** Starts a run for the queue, which the caller owns; if that fails, the caller's update is not accepted. */
    private void start(KeySlot<K, V> slot, KeyUpdate<V> first) {
        try {
            starter.run();
        } catch (Throwable t) {
            boolean withdrawn;
            try {
                withdrawn = slots.takeBack(slot, first); // false if an accepted update has superseded `first`
            } finally {
                leaveUnstarted();
            }
            if (withdrawn) {
                throw t;
            }
        }
    }

    /**
     * Gives up the queue, for which no run could be started: leaves it idle if no key is pending, otherwise abandoned
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

    /** Adds {@code senders} to the count of senders that wait for room. */
    void waits(int senders) {
        waiting.addAndGet(senders);
    }

    boolean isAwaited() {
        return waiting.get() > 0;
    }

    // ---------------------------------------------------------------- the owner

    /** Moves to the next pending key and returns its slot; null if no key is pending. */
    @Nullable
    KeySlot<K, V> next() {
        PendingNode<K, V> place = queue.next();
        return place == null ? null : place.slot();
    }

    /** Remembers a slot whose update was taken, and retires other slots. Throws what the methods of keys throw. */
    void remember(KeySlot<K, V> slot) {
        slots.taken(slot);
    }

    boolean hasMore() {
        return queue.hasMore();
    }

    /** Ends the ownership. If a key is pending, returns false, and the caller stays the owner. */
    boolean finish() {
        boolean forGood = closed;
        if (!queue.finish(forGood)) {
            return false;
        }
        if (forGood) {
            ended.run();
            return true;
        }
        // PendingKeys-7
        return !closed || !queue.claim(); // false: a close came in between; the caller has to end it (PendingKeys-7)
    }

    /** Leaves the queue without an owner, although keys may be pending. */
    void abandon() {
        abandoned = true;
    }

    /** Starts a run for an abandoned queue, if possible. */
    void resume() {
        try {
            restart();
        } catch (Throwable t) { // not thrown to this caller; the next offer of a new key will throw it
            tellWaiters();
        }
    }

    /** Starts a run for an abandoned queue; if that fails, throws an exception and leaves the queue abandoned. */
    private void restart() {
        if (claimStranded()) {
            start();
        }
    }

    /** Makes the caller the owner of an abandoned queue; returns false if it is not abandoned. */
    boolean claimStranded() {
        return abandoned && ABANDONED.compareAndSet(this, true, false);
    }

    // ---------------------------------------------------------------- closing

    /** Closes the keys for offers. */
    void close() {
        closed = true;
    }

    /** Makes the caller the owner if there is none, so that it can end the queue. Called after {@link #close}. */
    boolean claim() {
        return queue.claim() || claimStranded();
    }

    boolean isClosed() {
        return closed;
    }

    /** Starts a run for the queue, which the caller owns; if that fails, throws an exception and abandons the queue. */
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
