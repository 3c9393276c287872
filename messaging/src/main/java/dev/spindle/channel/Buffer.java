// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The values that a channel has accepted and no receiver has taken. Under the lock, unless stated otherwise. */
abstract class Buffer<T> {
    /** Returns whether a value may be added, provided that no sender waits for room. */
    abstract boolean hasRoom(@Nullable KeySlot<T> slot);

    abstract void add(T value, @Nullable KeySlot<T> slot);

    /** Puts back a value that was polled, at the head. */
    abstract void addFirst(T value);

    /** Removes and returns the first value, for {@link #resolve}; null if there is none. */
    @Nullable
    abstract Object poll();

    abstract int size();

    /** Returns true if this buffer never has room. */
    boolean isNone() {
        return false;
    }

    // ---------------------------------------------------------------- keys of a conflating channel

    /** Returns the key of {@code value}; null if values have no keys. Runs user code, outside the lock. */
    @Nullable
    Object keyOf(T value) {
        return null;
    }

    /** Returns the slot of {@code key}. Runs user code, outside the lock. */
    @Nullable
    KeySlot<T> slotOf(@Nullable Object key) {
        return null;
    }

    /** Replaces the value of {@code slot}, if its key is pending. May run user code, outside the lock. */
    boolean replace(KeySlot<T> slot, T value) {
        return false;
    }

    /** Returns the value that was polled. May run user code, outside the lock. */
    @SuppressWarnings("unchecked") // values have the type of the channel
    T resolve(Object polled) {
        return (T) polled;
    }

    /** Notes that the caller no longer needs {@code slot}, with which it may have added a value. */
    void used(@Nullable KeySlot<T> slot) {}

    /** Notes that a value of the key of {@code slot} was received. */
    void remember(@Nullable KeySlot<T> slot) {}

    /** Removes the slots that became unused. Runs user code, outside the lock. Never throws. */
    void tidy() {}

    /** A bounded queue of values; its capacity is 0 for a rendezvous. */
    static final class InOrder<T> extends Buffer<T> {
        private final int capacity;
        private final ArrayDeque<T> values = new ArrayDeque<>(1);

        InOrder(int capacity) {
            this.capacity = capacity;
        }

        @Override
        boolean isNone() {
            return capacity == 0;
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
        public String toString() {
            return capacity == 0 ? "rendezvous" : "buffered, " + capacity;
        }
    }
}
