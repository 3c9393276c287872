// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.internal.Padding;
import dev.spindle.pipeline.PendingNode.Mark;
import dev.spindle.pipeline.PendingNode.State;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A bounded queue of places with many producers and one owner at a time. The push to an idle queue starts a run. */
final class PendingQueue<K, V> {
    /*
     * The word is a mark (IDLE, BUSY or CLOSED) or the newest of a chain of places linked by `older`. The number in the
     * word counts the places pushed so far.
     *
     *   IDLE    nothing is pending, no run is scheduled  -> place (push: FIRST), BUSY (claim)
     *   BUSY    a run is scheduled or executing          -> place (push), IDLE or CLOSED (finish)
     *   place   the same, with new places                -> newer place (push), BUSY (the owner takes the chain)
     *   CLOSED  final
     *
     * The thread that replaces IDLE owns the queue, and hands it to the run that it starts. The owner gives the queue
     * up by a finish.
     *
     * field       writers    readers    mode
     * word.top    all        all        volatile, CAS
     * rest        owner      owner      plain; handed on by the word, and by the strand from run to run
     * taken       owner      producers  release, volatile read
     *
     * PendingQueue-1  There is at most one owner.
     * PendingQueue-2  No place is left behind: exactly the push that replaces IDLE returns FIRST, and a finish fails
     *     while a place is in the queue.
     * PendingQueue-3  Places leave in the order of their pushes: the owner takes a whole chain and empties it before it
     *                 takes the next chain.
     * PendingQueue-4  A push is refused only if number - taken had reached the bound, not counting the place that the
     *                 owner has reached. `taken` is read after the word, so with a stale word the difference is too
     *                 small, and the CAS of the word fails.
     * PendingQueue-5  Actions before a push happen-before the owner's access to the place: the push and the owner's
     *     step are CASes of the word. Places and marks are used once, so there is no ABA.
     *
     * Tests: PendingKeysLincheckTest, PendingKeysBoundLincheckTest; jcstress OfferAgainstFinish,
     * OfferThenOfferElsewhere. The word is like that of a lane (dev.spindle.internal.lane.LaneCore), but also has a
     * count.
     */
    /** The outcome of a push. */
    enum Push {
        /** In the queue, which has an owner. */
        QUEUED,
        /** In the queue, and the caller is its owner. */
        FIRST,
        /** Refused: there is no room. */
        FULL,
        /** Refused: the queue is closed. */
        CLOSED
    }

    private static final VarHandle TOP;
    private static final VarHandle TAKEN;

    static {
        try {
            var lookup = MethodHandles.lookup();
            TOP = lookup.findVarHandle(Word.class, "top", PendingNode.class);
            TAKEN = lookup.findVarHandle(Progress.class, "taken", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int capacity;
    private final Word<K, V> word = new Word<>();
    private final Progress<K, V> progress = new Progress<>();

    PendingQueue(int capacity) {
        this.capacity = capacity;
    }

    /** Appends {@code place}. */
    Push push(PendingNode<K, V> place) {
        for (; ; ) {
            PendingNode<K, V> top = word.top;
            if (top.is(State.CLOSED)) { // PendingKeys-7
                return Push.CLOSED;
            }
            if (top.number - taken() >= capacity) {
                return Push.FULL;
            }
            place.follow(top);
            if (TOP.compareAndSet(word, top, place)) {
                return top.is(State.IDLE) ? Push.FIRST : Push.QUEUED;
            }
        }
    }

    /** Makes the caller the owner of an idle queue; returns false if the queue has an owner or is closed. */
    boolean claim() {
        PendingNode<K, V> top = word.top;
        return top.is(State.IDLE) && TOP.compareAndSet(word, top, new Mark<K, V>(State.BUSY, top.number));
    }

    /** Returns the oldest place; null if there is none. For the owner. */
    @Nullable
    PendingNode<K, V> peek() {
        PendingNode<K, V> place = progress.rest;
        if (place == null) {
            place = takeChain();
            progress.rest = place;
        }
        return place;
    }

    /** Removes and returns the oldest place; null if there is none. For the owner. */
    @Nullable
    PendingNode<K, V> next() {
        PendingNode<K, V> place = peek();
        if (place != null) {
            progress.rest = place.newer();
            TAKEN.setRelease(progress, progress.taken + 1);
        }
        return place;
    }

    private @Nullable PendingNode<K, V> takeChain() {
        for (PendingNode<K, V> top = word.top; !top.isMark(); top = word.top) {
            if (TOP.compareAndSet(word, top, new Mark<K, V>(State.BUSY, top.number))) {
                return top.oldest();
            }
        }
        return null;
    }

    /** Returns whether any place is left. For the owner. */
    boolean hasMore() {
        return progress.rest != null || !word.top.is(State.BUSY);
    }

    /** Makes the queue idle or closed. If a place is left, returns false, and the caller stays the owner. */
    boolean finish(boolean forGood) {
        PendingNode<K, V> top = word.top;
        return progress.rest == null // PendingQueue-2
                && top.is(State.BUSY)
                && TOP.compareAndSet(word, top, new Mark<K, V>(forGood ? State.CLOSED : State.IDLE, top.number));
    }

    private long taken() {
        return (long) TAKEN.getVolatile(
                progress); // partner: the fence in Delivery, for a sender that has counted itself before
    }

    /** Returns the number of places in the queue. Racy. */
    long estimatedSize() {
        long taken = taken(); // read first, so that the difference is never negative
        return word.top.number - taken;
    }

    /** Holds the word, which all threads write. */
    private static final class Word<K, V> extends Padding {
        volatile PendingNode<K, V> top = new Mark<>(State.IDLE, 0);
    }

    /** The fields that only the owner writes. */
    private static final class Progress<K, V> extends Padding {
        @Nullable
        PendingNode<K, V> rest;

        @SuppressWarnings("UnusedVariable") // read through TAKEN
        long taken;
    }
}
