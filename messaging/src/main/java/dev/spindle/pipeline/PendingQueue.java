// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.internal.Padding;
import dev.spindle.pipeline.PendingNode.Mark;
import dev.spindle.pipeline.PendingNode.State;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A bounded queue of places for many producers and one owner at a time, which also says who has to start a run. */
final class PendingQueue<K, V> {
    /*
     * The word is a mark, IDLE, BUSY or CLOSED, or the newest of a chain of places linked by `older`. Its number says
     * how many places were ever pushed.
     *
     *   IDLE    nothing is pending, no run is scheduled  -> place (push: FIRST), BUSY (claim)
     *   BUSY    a run is scheduled or runs, nothing new  -> place (push), IDLE or CLOSED (finish)
     *   place   the same, with new places                -> newer place (push), BUSY (the owner takes the chain)
     *   CLOSED  for good
     *
     * Whoever changed IDLE owns the queue, and hands it to the run that it starts. The owner gives it up by a finish.
     *
     * field       writers    readers    mode
     * word.top    all        all        volatile, CAS
     * rest        owner      owner      plain: handed on through the word, and by the strand from run to run
     * taken       owner      producers  release, volatile read
     *
     * PendingQueue-1  At most one owner.
     * PendingQueue-2  A push that changed IDLE answers FIRST, and no other does; a queue that is not IDLE has an owner,
     *     whose finish fails while anything is in it. So nothing is left behind: each place is seen by a run that is
     *     started already.
     * PendingQueue-3  The owner takes the whole chain and ends it before it takes another, so places come out in the
     *     order of pushes.
     * PendingQueue-4  A push is refused only if number - taken had reached the bound: `taken` is read after the word,
     *     so a word that is not the latest makes the difference too small, and its CAS fails. A place is counted until
     *     the owner comes to it: the one whose value is being taken and handed over is not.
     * PendingQueue-5  What happens before a push happens-before the owner's look at the place: the CAS of the word, and
     *     the owner's. Places and marks are used once, so no CAS takes an old top for the present one.
     *
     * Tests: PendingKeysLincheckTest, PendingKeysBoundLincheckTest; jcstress OfferAgainstFinish,
     * OfferThenOfferElsewhere. The word is that of a lane (dev.spindle.internal.lane.LaneCore), with a count in it.
     */
    /** The outcome of a push. */
    enum Push {
        /** In the queue, which has an owner. */
        QUEUED,
        /** In the queue, and the caller is its owner. */
        FIRST,
        /** Refused: no room. */
        FULL,
        /** Refused for good. */
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

    /** Puts {@code place} at the end. */
    Push push(PendingNode<K, V> place) {
        for (; ; ) {
            PendingNode<K, V> top = word.top;
            if (top.is(State.CLOSED)) {
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

    /** Makes the caller the owner of a queue that has none; false when it has one, or is closed. */
    boolean claim() {
        PendingNode<K, V> top = word.top;
        return top.is(State.IDLE) && TOP.compareAndSet(word, top, new Mark<K, V>(State.BUSY, top.number));
    }

    /** Returns the oldest place; null when there is none. For the owner. */
    @Nullable
    PendingNode<K, V> peek() {
        PendingNode<K, V> place = progress.rest;
        if (place == null) {
            place = takeChain();
            progress.rest = place;
        }
        return place;
    }

    /** Moves to the oldest place and returns it; null when there is none. For the owner. */
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

    /** Returns whether the owner has anything left to come to. For the owner. */
    boolean hasMore() {
        return progress.rest != null || !word.top.is(State.BUSY);
    }

    /** Gives the queue up, as idle or for good; false, and the caller is still its owner, while anything is in it. */
    boolean finish(boolean forGood) {
        PendingNode<K, V> top = word.top;
        return progress.rest == null
                && top.is(State.BUSY)
                && TOP.compareAndSet(word, top, new Mark<K, V>(forGood ? State.CLOSED : State.IDLE, top.number));
    }

    private long taken() {
        return (long) TAKEN.getVolatile(
                progress); // partner: the fence in Delivery, for a sender that has just counted itself
    }

    /** Returns how many places are in the queue. Racy. */
    long estimatedSize() {
        long taken = taken(); // first: then the difference is never negative
        return word.top.number - taken;
    }

    /** The fields that all write. */
    private static final class Word<K, V> extends Padding {
        volatile PendingNode<K, V> top = new Mark<>(State.IDLE, 0);
    }

    /** The fields that the owner alone writes. */
    private static final class Progress<K, V> extends Padding {
        @Nullable
        PendingNode<K, V> rest;

        @SuppressWarnings("UnusedVariable") // read through TAKEN
        long taken;
    }
}
