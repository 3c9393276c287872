// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Makes keys of a user into keys of a key space. Thread-safe. */
final class LaneKeys {
    private final AtomicReference<@Nullable Class<?>> numbers = new AtomicReference<>(); // of the first number

    /**
     * Returns the key of the lane of {@code key}; null for null.
     *
     * @throws IllegalArgumentException if {@code key} is an array, but no {@code byte[]}
     */
    @Nullable
    Object of(@Nullable Object key) {
        if (key == null || key instanceof String) {
            return key;
        }
        if (key instanceof byte[] bytes) {
            return new Bytes(bytes, Arrays.hashCode(bytes));
        }
        if (key.getClass().isArray()) {
            throw new IllegalArgumentException("keys must have equals and hashCode, or be byte[], is "
                    + key.getClass().getTypeName() + "; set a keyExtractor");
        }
        if (key instanceof Number
                && numbers.get() != key.getClass()
                && !numbers.compareAndSet(null, key.getClass())
                && numbers.get() != key.getClass()) {
            return new OtherNumber(key); // a key space accepts boxed numbers of one class
        }
        return key;
    }

    /** A key that compares by content. */
    @SuppressWarnings("ArrayRecordComponent") // equals and hashCode are defined
    private record Bytes(byte[] bytes, int hash) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Bytes that && hash == that.hash && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public String toString() {
            return Arrays.toString(bytes);
        }
    }

    /** A boxed number of another class than the first among the keys. */
    private record OtherNumber(Object number) {}
}
