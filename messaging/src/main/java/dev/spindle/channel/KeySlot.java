// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import org.jspecify.annotations.Nullable;

/** The slot of a key in a conflating channel, in use while a value of the key is buffered or waits for room. */
final class KeySlot<T> {
    final Object key;

    /** The latest value, if the key is pending. Under the lock of the channel. */
    @Nullable
    T value;

    /** The number of values of the key that wait for room. Under the lock of the channel. */
    int waiting;

    /** True if this slot is no longer used. Set once, under the lock of the channel; read by any thread. */
    volatile boolean dead;

    /** The next slot that is dead and still in the map. */
    @Nullable
    KeySlot<T> nextDead;

    KeySlot(Object key) {
        this.key = key;
    }
}
