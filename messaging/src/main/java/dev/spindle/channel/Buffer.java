// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values that a channel has accepted and nobody has received. Under the lock of the channel, unless said. */
abstract class Buffer<T> {
    /** Returns whether a value could be added, if nobody waits for room. */
    abstract boolean hasRoom(@Nullable KeySlot<T> slot);

    abstract void add(T value, @Nullable KeySlot<T> slot);

    /** Puts back a value that was polled, as the next. */
    abstract void addFirst(T value);

    @Nullable
    abstract T poll();

    abstract int size();

    /** Returns whether there is never room. */
    boolean isNone() {
        return false;
    }

    /** Moves all values to the end of {@code to}. */
    final void drainTo(List<T> to) {
        for (T value = poll(); value != null; value = poll()) {
            to.add(value);
        }
    }

    // ---------------------------------------------------------------- keys, of a conflating channel

    /** Returns the key of {@code value}, if values have some. Runs code of the user's, outside the lock. */
    @Nullable
    Object keyOf(T value) {
        return null;
    }

    /** Returns the place of {@code key}. Runs code of the user's, outside the lock. */
    @Nullable
    KeySlot<T> slotOf(@Nullable Object key) {
        return null;
    }

    /** Notes that {@code slot} was used, or is not after all. */
    void used(@Nullable KeySlot<T> slot) {}

    /** Forgets what was noted as unused. Runs code of the user's, outside the lock. Never throws. */
    void tidy() {}

    /** Values in order, with a bound; none at all for a rendezvous. */
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
        T poll() {
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
