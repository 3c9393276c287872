// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The slots of all keys that are or were recently pending. A remembered key saves the next offer an insertion and the
 * run a removal. The number of remembered keys is bounded, so that a stream of new keys does not make the map grow.
 */
final class KeySlots<K, V> {
    /*
     * The list holds every slot from which an update was taken, in the order of the first takings, until the slot is
     * retired. So each slot in the map is in the list, or is pending, or is in use by an offer that will make the slot
     * pending or retire it. The list belongs to the owner (PendingKeys-1); `isListed` tells offers whether they have to
     * retire a slot that they could not make pending.
     *
     * When the list is too long, the owner examines its oldest slots, as in the clock algorithm of page replacement: a
     * slot that is pending or was used since the last examination goes to the end; any other slot is retired, unless an
     * offer makes it pending before. Four slots are examined for each added slot, so the list stays within a small
     * multiple of its bound.
     */
    private static final int LOOKS = 4;

    private final ConcurrentHashMap<K, KeySlot<K, V>> slots = new ConcurrentHashMap<>();
    private final int remembered;
    private @Nullable KeySlot<K, V> oldest;
    private @Nullable KeySlot<K, V> newest;
    private int listed;

    /** @param remembered the number of slots that may be remembered, including pending ones */
    KeySlots(int remembered) {
        this.remembered = remembered;
    }

    /** Returns the slot of {@code key}, and inserts a slot if there is none. */
    KeySlot<K, V> of(K key) {
        KeySlot<K, V> slot = slots.get(key);
        return slot != null ? slot : insert(key);
    }

    private KeySlot<K, V> insert(K key) {
        KeySlot<K, V> fresh = new KeySlot<>(key);
        KeySlot<K, V> other = slots.putIfAbsent(key, fresh);
        return other == null ? fresh : other;
    }

    /** Removes a retired slot. May be called by any thread that finds one. */
    void remove(KeySlot<K, V> retired) {
        slots.remove(retired.key(), retired);
    }

    /**
     * Withdraws the first update of an offer that got no place.
     *
     * @return false if the owner has taken it
     */
    boolean takeBack(KeySlot<K, V> slot, KeyUpdate<V> first) {
        if (slot.isListed()) {
            return slot.replace(first, null);
        }
        boolean back = slot.replace(first, KeyUpdate.retired());
        if (back) {
            remove(slot);
        }
        return back;
    }

    /** Remembers a slot whose update was taken, and retires other slots if there are too many. For the owner. */
    void taken(KeySlot<K, V> slot) {
        if (slot.isListed()) {
            slot.used = true;
            return;
        }
        slot.setListed();
        append(slot);
        listed++;
        for (int look = 0; look < LOOKS && listed > remembered; look++) {
            lookAtOldest();
        }
    }

    private void append(KeySlot<K, V> slot) {
        KeySlot<K, V> last = newest;
        if (last == null) {
            oldest = slot;
        } else {
            last.nextListed = slot;
        }
        newest = slot;
    }

    private void lookAtOldest() {
        KeySlot<K, V> slot = oldest;
        if (slot == null) {
            return;
        }
        oldest = slot.nextListed;
        slot.nextListed = null;
        if (oldest == null) {
            newest = null;
        }
        KeyUpdate<V> latest = slot.latest();
        boolean isRetired = latest != null && latest.isRetired(); // retired by an offer before it was listed
        if (!isRetired && (slot.used || !slot.retire())) {
            slot.used = false;
            append(slot);
            return;
        }
        listed--;
        remove(slot); // if the key throws here, the next offer of the key removes the retired slot
    }

    /** Returns the number of keys in the map. Racy. */
    int estimatedSize() {
        return slots.size();
    }
}
