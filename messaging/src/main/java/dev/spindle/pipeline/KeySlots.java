// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The slots of all keys that are pending or were of late. To remember a key saves the next offer an insert and the run
 * a removal; how many are remembered is bounded, so that ever new keys need no ever growing map.
 */
final class KeySlots<K, V> {
    /*
     * The list holds every slot that was ever taken, in the order of their first takings, until it is retired; so a
     * slot in the map is in the list, or pending, or in the hands of an offer that will make it pending or retire it.
     * The list is the owner's alone (PendingKeys-1); `isListed` tells offers whether they have to retire a slot that
     * they could not make pending.
     *
     * When the list is too long, the owner looks at the oldest: one that was taken again since it was last looked at,
     * or that is pending, goes to the end (a second chance, as in the clock that replaces pages); else it is retired,
     * which fails if an offer comes first. Each slot that is added pays for four looks, so the list stays within a
     * small multiple of what it may hold.
     */
    private static final int LOOKS = 4;

    private final ConcurrentHashMap<K, KeySlot<K, V>> slots = new ConcurrentHashMap<>();
    private final int remembered;
    private @Nullable KeySlot<K, V> oldest;
    private @Nullable KeySlot<K, V> newest;
    private int listed;

    /** @param remembered how many slots may be remembered, pending ones included */
    KeySlots(int remembered) {
        this.remembered = remembered;
    }

    /** Returns the slot of {@code key}, new or not. */
    KeySlot<K, V> of(K key) {
        KeySlot<K, V> slot = slots.get(key);
        return slot != null ? slot : insert(key);
    }

    private KeySlot<K, V> insert(K key) {
        KeySlot<K, V> fresh = new KeySlot<>(key);
        KeySlot<K, V> other = slots.putIfAbsent(key, fresh);
        return other == null ? fresh : other;
    }

    /** Removes a slot that is retired; whoever comes across one may do so. */
    void remove(KeySlot<K, V> retired) {
        slots.remove(retired.key(), retired);
    }

    /**
     * Takes back the first update of an offer that got no place.
     *
     * @return false when the owner has taken it
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

    /** Remembers a slot that was taken, and retires others if there are too many. For the owner. */
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
        boolean isRetired = latest != null && latest.isRetired(); // by an offer, before it was listed
        if (!isRetired && (slot.used || !slot.retire())) {
            slot.used = false;
            append(slot);
            return;
        }
        listed--;
        remove(slot); // what key code throws here leaves a retired slot, which the next offer of the key removes
    }

    /** Returns how many keys are in the map. Racy. */
    int estimatedSize() {
        return slots.size();
    }
}
