// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import org.jspecify.annotations.Nullable;

/** The place of a key in a conflating channel, as long as a value of it is there or waits for room. */
final class KeySlot<T> {
    final Object key;

    /** The latest value, if the key is pending. Under the lock of the channel. */
    @Nullable
    T value;

    /** How many values of the key wait for room. Under the lock of the channel. */
    int waiting;

    /** Set once, under the lock of the channel: never used again. Read by anybody. */
    volatile boolean dead;

    /** The next of those that are dead and still in the map. */
    @Nullable
    KeySlot<T> nextDead;

    KeySlot(Object key) {
        this.key = key;
    }
}
