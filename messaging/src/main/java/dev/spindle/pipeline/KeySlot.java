// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** The slot of a key, which holds its latest update while the key is pending. */
final class KeySlot<K, V> {
    private static final VarHandle LATEST;
    private static final VarHandle LISTED;

    static {
        try {
            var lookup = MethodHandles.lookup();
            LATEST = lookup.findVarHandle(KeySlot.class, "latest", KeyUpdate.class);
            LISTED = lookup.findVarHandle(KeySlot.class, "listed", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final K key;
    private volatile @Nullable KeyUpdate<V> latest;

    @SuppressWarnings("UnusedVariable") // read through LISTED
    private boolean listed;

    // for the owner, see KeySlots
    boolean used;

    @Nullable
    KeySlot<K, V> nextListed;

    KeySlot(K key) {
        this.key = key;
    }

    K key() {
        return key;
    }

    @Nullable
    KeyUpdate<V> latest() {
        return latest;
    }

    /** Replaces the latest update by {@code next} if it is {@code expected}. */
    boolean replace(@Nullable KeyUpdate<V> expected, @Nullable KeyUpdate<V> next) {
        return LATEST.compareAndSet(this, expected, next); // PendingKeys-3
    }

    /** Removes and returns the latest update; null if the key is not pending. */
    @Nullable
    KeyUpdate<V> take() {
        for (KeyUpdate<V> current = latest; ; current = latest) {
            if (current == null || current.isRetired()) {
                return null;
            }
            if (replace(current, null)) { // PendingKeys-2
                return current;
            }
        }
    }

    boolean isPending() {
        KeyUpdate<V> current = latest;
        return current != null && !current.isRetired();
    }

    /** Retires this slot, which is final; returns false if it is pending. */
    boolean retire() {
        return replace(null, KeyUpdate.retired()); // PendingKeys-2
    }

    boolean isListed() {
        return (boolean) LISTED.getOpaque(this);
    }

    /** Marks this slot as being in the owner's list. Never cleared. */
    void setListed() {
        LISTED.setOpaque(this, true);
    }
}
