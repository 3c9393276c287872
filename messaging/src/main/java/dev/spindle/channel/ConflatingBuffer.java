// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.messaging.FailureReporter;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A buffer of the latest value of each key. A key is pending while the buffer has a value for it; values are received
 * in the order in which their keys became pending.
 */
final class ConflatingBuffer<T> extends Buffer<T> {
    /*
     * The methods of keys, and the merge function, do not run under the lock of the channel. A sender first gets the
     * slot of its key from the map. If the key is pending and no value of the key waits for room, the sender replaces
     * the value without the lock. In any other case, the sender takes the lock.
     *
     * A slot stays in the map after its value was received, so that the next send of the key finds the slot there. Such
     * slots form a list. A thread that makes the list longer than `maxKeys` examines up to four of the oldest slots, as
     * in the clock algorithm of page replacement. A slot that has a value, or was used since its last examination,
     * moves to the end of the list. Any other slot becomes dead.
     *
     * ConflatingBuffer-1  A slot that leaves the list, or that a sender leaves unused, is marked as dead under the lock
     *     and then removed from the map. A sender that sees under the lock that its slot is dead gets another slot.
     * ConflatingBuffer-2  At most one slot of a key is not dead: a slot is inserted only if the map has none for the
     *     key, and a slot is removed only if it is dead.
     * ConflatingBuffer-3  A value becomes null or non-null only under the lock, when its slot leaves or enters
     *     `pending`; any thread may replace a non-null value by a CAS. The CAS reads the old value, so actions before a
     *     send happen-before the receipt of the sent value or of the value that replaced it.
     *
     * Tests: ConflatingChannelTest (ConflatingBuffer-1, ConflatingBuffer-3), ConflatingChannelLincheckTest; jcstress
     * ReplaceAgainstReceive (ConflatingBuffer-3).
     */
    /** The maximum number of remembered keys that are checked when a key is added. Not measured. */
    private static final int LOOKS = 4;

    private final int maxKeys;
    private final Function<? super T, ?> keyFunction;
    private final @Nullable BinaryOperator<T> merge;
    private final ConcurrentHashMap<Object, KeySlot<T>> slots = new ConcurrentHashMap<>();
    private final ArrayDeque<KeySlot<T>> pending = new ArrayDeque<>(1);
    private final AtomicReference<@Nullable KeySlot<T>> dead = new AtomicReference<>();
    private @Nullable KeySlot<T> oldest;
    private @Nullable KeySlot<T> newest;
    private int listed;

    /** A value that waited for room and the older value of its key, which the receiver merges. */
    private record Unmerged(Object older, Object newer) {}

    ConflatingBuffer(int maxKeys, Function<? super T, ?> keyFunction, @Nullable BinaryOperator<T> merge) {
        this.maxKeys = maxKeys;
        this.keyFunction = keyFunction;
        this.merge = merge;
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
    boolean replace(KeySlot<T> slot, T value) {
        for (; ; ) {
            Object current = slot.value;
            if (current == null || slot.waiting != 0) { // ChannelCore-2
                return false;
            }
            T next = merge == null ? value : merged(merge, resolve(current), value);
            if (slot.replace(current, next)) {
                return true;
            }
        }
    }

    private T merged(BinaryOperator<T> by, T older, T newer) {
        return Objects.requireNonNull(by.apply(older, newer), "the merge function returned null, which is no value");
    }

    @Override
    @SuppressWarnings("unchecked") // an object that is not Unmerged is a value
    T resolve(Object received) {
        if (merge == null || !(received instanceof Unmerged two)) {
            return (T) received;
        }
        T newer = (T) two.newer;
        try {
            return merged(merge, resolve(two.older), newer);
        } catch (Throwable t) {
            FailureReporter.report(this, () -> {}, t);
            return newer;
        }
    }

    @Override
    boolean hasRoom(@Nullable KeySlot<T> slot) {
        return (slot != null && slot.value != null) || pending.size() < maxKeys;
    }

    @Override
    void add(T value, @Nullable KeySlot<T> slot) {
        KeySlot<T> of = Objects.requireNonNull(slot);
        Object current = of.value;
        if (current == null) {
            pending.addLast(of);
            of.value = value;
            return;
        }
        while (!of.replace(current, merge == null ? value : new Unmerged(current, value))) {
            current = Objects.requireNonNull(of.value); // not null: only a holder of the lock sets null
        }
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
    Object poll() {
        KeySlot<T> slot = pending.pollFirst();
        if (slot == null) {
            return null;
        }
        Object value = slot.take();
        remember(slot);
        return value;
    }

    @Override
    void used(@Nullable KeySlot<T> slot) {
        if (slot != null && !slot.listed && !slot.dead && slot.isIdle()) {
            kill(slot);
        }
    }

    @Override
    void remember(@Nullable KeySlot<T> slot) {
        if (slot == null || slot.dead) {
            return;
        }
        if (slot.listed) {
            slot.used = true;
            return;
        }
        slot.listed = true;
        append(slot);
        listed++;
        for (int look = 0; look < LOOKS && listed > maxKeys; look++) {
            lookAtOldest();
        }
    }

    private void append(KeySlot<T> slot) {
        KeySlot<T> last = newest;
        if (last == null) {
            oldest = slot;
        } else {
            last.nextListed = slot;
        }
        newest = slot;
    }

    private void lookAtOldest() {
        KeySlot<T> slot = Objects.requireNonNull(oldest);
        oldest = slot.nextListed;
        slot.nextListed = null;
        if (oldest == null) {
            newest = null;
        }
        if (slot.used || !slot.isIdle()) {
            slot.used = false;
            append(slot);
            return;
        }
        listed--;
        kill(slot);
    }

    private void kill(KeySlot<T> slot) {
        slot.dead = true; // ConflatingBuffer-1
        do {
            slot.nextDead = dead.get();
        } while (!dead.compareAndSet(slot.nextDead, slot));
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
                // a method of the key has thrown, and will throw again at the next send of the key
            }
        }
    }

    @Override
    int size() {
        return pending.size();
    }

    @Override
    int capacity() {
        return maxKeys;
    }

    /** Returns an estimate of the number of keys in the map. */
    int estimatedKeys() {
        return slots.size();
    }

    @Override
    public String toString() {
        return "conflating, " + maxKeys + " keys";
    }
}
