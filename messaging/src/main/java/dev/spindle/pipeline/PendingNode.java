// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import org.jspecify.annotations.Nullable;

/** The place of a key in the queue of pending keys. Used once, so that the queue's word is free of ABA. */
class PendingNode<K, V> {
    /** The state of a queue without new nodes. */
    enum State {
        /** No run is scheduled; the next push starts one. */
        IDLE,
        /** A run is scheduled or executing, or the queue is abandoned. */
        BUSY,
        /** The queue accepts no more places. */
        CLOSED
    }

    private final @Nullable KeySlot<K, V> slot; // null if this node is a mark
    long number; // the number of places pushed up to this node; written before the push
    private @Nullable PendingNode<K, V> older; // written before the push
    private @Nullable PendingNode<K, V> newer; // used by the owner only

    PendingNode(@Nullable KeySlot<K, V> slot) {
        this.slot = slot;
    }

    /** Prepares this node for a push after {@code top}. */
    void follow(PendingNode<K, V> top) {
        number = top.number + 1;
        older = top.isMark() ? null : top;
    }

    /**
     * Links the chain whose newest node is this from old to new, and returns the oldest node. Called once, by the
     * owner.
     */
    PendingNode<K, V> oldest() {
        PendingNode<K, V> place = this;
        for (PendingNode<K, V> next = older; next != null; next = next.older) {
            next.newer = place;
            place.older = null;
            place = next;
        }
        return place;
    }

    KeySlot<K, V> slot() {
        KeySlot<K, V> of = slot;
        if (of == null) {
            throw new AssertionError("a mark is no place");
        }
        return of;
    }

    @Nullable
    PendingNode<K, V> newer() {
        return newer;
    }

    /** Returns whether this node is a mark instead of a place. */
    final boolean isMark() {
        return slot == null;
    }

    boolean is(State state) {
        return false;
    }

    /** The value of the word of a queue without new places; it keeps the number of places pushed so far. */
    static final class Mark<K, V> extends PendingNode<K, V> {
        private final State state;

        Mark(State state, long number) {
            super(null);
            this.state = state;
            this.number = number;
        }

        @Override
        boolean is(State asked) {
            return state == asked;
        }
    }
}
