// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A control, made anew after the published description of LMAX's coalescing ring buffer, whose artifact is on no
 * registry: one producer, one consumer, a ring of keys and values. The producer looks for its key among the entries
 * that it may still change, one after the other; if it is there, it changes the value, else it adds an entry. The
 * consumer first says how far the producer may no longer change entries, then takes what lies before that. A change
 * that met this announcement may have been taken or not, so the producer adds the value once more: it may be shown
 * twice.
 */
final class CoalescingRing<K, V> {
    private final int mask;
    private final @Nullable Object[] keys; // the producer's alone
    private final AtomicReferenceArray<@Nullable V> values;
    private final AtomicLong written = new AtomicLong(); // entries before this one are there: the producer's
    private final AtomicLong fenced = new AtomicLong(); // entries before this one must not be changed: the consumer's
    private final AtomicLong read = new AtomicLong(); // entries before this one are free again: the consumer's

    /** @param capacity a power of two */
    CoalescingRing(int capacity) {
        mask = capacity - 1;
        keys = new Object[capacity];
        values = new AtomicReferenceArray<>(capacity);
    }

    /** For the one producer; false when there is no room for another key. */
    boolean offer(K key, V value) {
        long end = written.getPlain();
        for (long entry = fenced.get(); entry < end; entry++) {
            int at = (int) entry & mask;
            if (key.equals(keys[at])) {
                values.set(at, value);
                if (fenced.get() <= entry) {
                    return true; // it was there before the consumer came
                }
                break;
            }
        }
        if (end - read.getAcquire() > mask) {
            return false;
        }
        int at = (int) end & mask;
        keys[at] = key;
        values.setPlain(at, value);
        written.setRelease(end + 1);
        return true;
    }

    /** Shows everything that is there, for the one consumer; returns how much it was. */
    int drainTo(Consumer<? super V> screen) {
        long begin = read.getPlain();
        long end = written.getAcquire();
        if (begin == end) {
            return 0;
        }
        fenced.set(end);
        for (long entry = begin; entry < end; entry++) {
            int at = (int) entry & mask;
            V value = values.get(at);
            values.setPlain(at, null);
            if (value != null) {
                screen.accept(value);
            }
        }
        read.setRelease(end);
        return (int) (end - begin);
    }
}
