// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The values that a channel has accepted and no receiver has taken. Methods are called under the lock of the channel,
 * unless their descriptions say otherwise.
 */
abstract class Buffer<T> {
    /** Returns whether there is room for a value. The caller has checked that no sender waits. */
    abstract boolean hasRoom(@Nullable KeySlot<T> slot);

    abstract void add(T value, @Nullable KeySlot<T> slot);

    /** Puts a received value back at the head. */
    abstract void addFirst(T value);

    /** Removes and returns the first value, which the caller passes to {@link #resolve}; null if there is none. */
    @Nullable
    abstract Object poll();

    abstract int size();

    /** Returns the maximum size. */
    abstract int capacity();

    // ---------------------------------------------------------------- keys of a conflating channel

    /**
     * Returns the key of {@code value}; null if values have no keys. Called without the lock, since this runs user
     * code.
     */
    @Nullable
    Object keyOf(T value) {
        return null;
    }

    /**
     * Returns the slot of {@code key}; null if values have no keys. Called without the lock, since this runs user code.
     */
    @Nullable
    KeySlot<T> slotOf(@Nullable Object key) {
        return null;
    }

    /**
     * Replaces the value of {@code slot}. Returns false if the slot has no value, or if a value of its key waits for
     * room. Called without the lock, since this may run user code.
     */
    boolean replace(KeySlot<T> slot, T value) {
        return false;
    }

    /** Returns the value that {@link #poll} has removed. Called without the lock, since this may run user code. */
    @SuppressWarnings("unchecked") // values have the type of the channel
    T resolve(Object polled) {
        return (T) polled;
    }

    /** Called when a sender no longer uses {@code slot}. */
    void used(@Nullable KeySlot<T> slot) {}

    /** Keeps {@code slot} for later sends of its key. Called when a value of the key was received. */
    void remember(@Nullable KeySlot<T> slot) {}

    /** Removes unused slots. Called without the lock, since this runs user code. Never throws. */
    void tidy() {}

    /** A bounded queue of values. The capacity of a rendezvous channel is 0. */
    static final class InOrder<T> extends Buffer<T> {
        private final int capacity;
        private final ArrayDeque<T> values = new ArrayDeque<>(1);

        InOrder(int capacity) {
            this.capacity = capacity;
        }

        @Override
        boolean hasRoom(@Nullable KeySlot<T> slot) {
            return values.size() < capacity;
        }

        @Override
        void add(T value, @Nullable KeySlot<T> slot) {
            values.addLast(value);
        }

        @Override
        void addFirst(T value) {
            values.addFirst(value);
        }

        @Override
        @Nullable
        Object poll() {
            return values.pollFirst();
        }

        @Override
        int size() {
            return values.size();
        }

        @Override
        int capacity() {
            return capacity;
        }

        @Override
        public String toString() {
            return capacity == 0 ? "rendezvous" : "buffered, " + capacity;
        }
    }
}
