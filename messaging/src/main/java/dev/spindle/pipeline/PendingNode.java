// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import org.jspecify.annotations.Nullable;

/** A key's node in the queue of pending keys. Used once, so that the queue's word knows no ABA. */
class PendingNode<K, V> {
    /** The state of a queue without new nodes. */
    enum State {
        /** No run is scheduled: the next place starts one. */
        IDLE,
        /** A run is scheduled, runs, or is abandoned. */
        BUSY,
        /** Takes no more places, for good. */
        CLOSED
    }

    private final @Nullable KeySlot<K, V> slot; // null in a mark
    long number; // how many places were pushed, this one included; written before the push
    private @Nullable PendingNode<K, V> older; // likewise
    private @Nullable PendingNode<K, V> newer; // the owner's

    PendingNode(@Nullable KeySlot<K, V> slot) {
        this.slot = slot;
    }

    /** Makes this the place after {@code top}. Before the push that tries to put it there. */
    void follow(PendingNode<K, V> top) {
        number = top.number + 1;
        older = top.isMark() ? null : top;
    }

    /** Links the chain that ends with this from old to new, and returns the oldest. For the owner, once. */
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

    /** Returns whether this stands for no place. */
    final boolean isMark() {
        return slot == null;
    }

    boolean is(State state) {
        return false;
    }

    /** Stands in the word of a queue without new places, and keeps the number. */
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
