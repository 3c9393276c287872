// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A slot of a key in a conflating channel. The slot has the latest value of the key while the key is pending. */
final class KeySlot<T> {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(KeySlot.class, "value", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Object key;

    /** The value, or two values to be merged; null if the key is not pending (ConflatingBuffer-3). */
    volatile @Nullable Object value;

    /** The number of values of the key that wait for room; written under the lock of the channel. */
    volatile int waiting;

    /** True once this slot must not be used; set under the lock of the channel. */
    volatile boolean dead;

    /** The next dead slot that is still in the map. */
    @Nullable
    KeySlot<T> nextDead;

    // the list of slots from which a value was received, guarded by the lock of the channel
    boolean listed;
    boolean used;

    @Nullable
    KeySlot<T> nextListed;

    KeySlot(Object key) {
        this.key = key;
    }

    boolean replace(Object expected, Object by) {
        return VALUE.compareAndSet(this, expected, by); // ConflatingBuffer-3
    }

    /** Removes and returns the value. Called under the lock of the channel. */
    @Nullable
    Object take() {
        return VALUE.getAndSet(this, null); // ConflatingBuffer-3
    }

    boolean isIdle() {
        return value == null && waiting == 0;
    }
}
