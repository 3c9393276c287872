// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A buffer of the latest value of each key, in the order in which the keys became pending. */
final class ConflatingBuffer<T> extends Buffer<T> {
    /*
     * The methods of keys do not run under the lock of the channel. A sender gets the slot of its key from the map
     * first, and then takes the lock.
     *
     * ConflatingBuffer-1  A slot without a value and without waiting values is marked as dead under the lock, and later
     *                     removed from the map. A sender that finds its slot dead, under the lock, gets another slot.
     * ConflatingBuffer-2  At most one slot of a key is not dead: a slot is inserted only if the map has none for the
     *     key, and a slot is removed only if it is dead.
     *
     * Tests: ConflatingChannelTest.
     */
    private final int maxKeys;
    private final Function<? super T, ?> keyFunction;
    private final ConcurrentHashMap<Object, KeySlot<T>> slots = new ConcurrentHashMap<>();
    private final ArrayDeque<KeySlot<T>> pending = new ArrayDeque<>(1);
    private final AtomicReference<@Nullable KeySlot<T>> dead = new AtomicReference<>();

    ConflatingBuffer(int maxKeys, Function<? super T, ?> keyFunction) {
        this.maxKeys = maxKeys;
        this.keyFunction = keyFunction;
    }

    @Override
    Object keyOf(T value) {
        return Objects.requireNonNull(keyFunction.apply(value), "the key of the value");
    }

    @Override
    @Nullable
    KeySlot<T> slotOf(@Nullable Object key) {
        Object of = Objects.requireNonNull(key);
        for (; ; ) {
            KeySlot<T> slot = slots.get(of);
            if (slot == null) {
                KeySlot<T> fresh = new KeySlot<>(of);
                slot = slots.putIfAbsent(of, fresh);
                if (slot == null) {
                    return fresh;
                }
            }
            if (!slot.dead) {
                return slot;
            }
            boolean unused = slots.remove(of, slot);
        }
    }

    @Override
    boolean hasRoom(@Nullable KeySlot<T> slot) {
        return (slot != null && slot.value != null) || pending.size() < maxKeys;
    }

    @Override
    void add(T value, @Nullable KeySlot<T> slot) {
        KeySlot<T> of = Objects.requireNonNull(slot);
        if (of.value == null) {
            pending.addLast(of);
        }
        of.value = value;
    }

    @Override
    void addFirst(T value) {
        KeySlot<T> again = new KeySlot<>(this); // not in the map, so a newer value of the key comes after this value
        again.value = value;
        again.dead = true;
        pending.addFirst(again);
    }

    @Override
    @Nullable
    T poll() {
        KeySlot<T> slot = pending.pollFirst();
        if (slot == null) {
            return null;
        }
        T value = slot.value;
        slot.value = null;
        used(slot);
        return value;
    }

    @Override
    void used(@Nullable KeySlot<T> slot) {
        if (slot != null && slot.value == null && slot.waiting == 0 && !slot.dead) {
            slot.dead = true;
            do {
                slot.nextDead = dead.get();
            } while (!dead.compareAndSet(slot.nextDead, slot));
        }
    }

    @Override
    void tidy() {
        if (dead.get() == null) {
            return;
        }
        for (KeySlot<T> slot = dead.getAndSet(null); slot != null; slot = slot.nextDead) {
            try {
                boolean unused = slots.remove(slot.key, slot);
            } catch (Throwable t) {
                // thrown by the key: the next send of that key will throw it, too
            }
        }
    }

    @Override
    int size() {
        return pending.size();
    }

    /** Returns the number of keys in the map, pending or not. Racy. */
    int estimatedKeys() {
        return slots.size();
    }

    @Override
    public String toString() {
        return "conflating, " + maxKeys + " keys";
    }
}
