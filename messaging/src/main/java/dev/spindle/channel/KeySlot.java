// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** The slot of a key in a conflating channel, which holds the latest value of the key while the key is pending. */
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

    /** The value, or values that are not merged yet; null if the key is not pending. See ConflatingBuffer-3. */
    volatile @Nullable Object value;

    /**
     * The number of values of the key that wait for room. Written under the lock of the channel; read by any thread.
     */
    volatile int waiting;

    /** True if this slot is no longer used. Set once, under the lock of the channel; read by any thread. */
    volatile boolean dead;

    /** The next slot that is dead and still in the map. */
    @Nullable
    KeySlot<T> nextDead;

    // the list of remembered slots, under the lock of the channel
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

    /** Removes and returns the value. Under the lock of the channel. */
    @Nullable
    Object take() {
        return VALUE.getAndSet(this, null); // ConflatingBuffer-3
    }

    boolean isIdle() {
        return value == null && waiting == 0;
    }
}
