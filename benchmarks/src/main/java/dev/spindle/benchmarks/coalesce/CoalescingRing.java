// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A control, written from the published description of LMAX's coalescing ring buffer, which no registry has. One
 * producer and one consumer share a ring of keys and values. The producer searches the entries that it may still change
 * for its key. If it finds the key, it replaces the value, else it adds an entry. The consumer first advances the
 * fence, up to which the producer must not change entries, and then takes the entries before it. A replacement that
 * races with the fence may be missed, so the producer adds the value again, and it may be shown twice.
 */
final class CoalescingRing<K, V> {
    private final int mask;
    private final @Nullable Object[] keys; // used by the producer alone
    private final AtomicReferenceArray<@Nullable V> values;
    private final AtomicLong written = new AtomicLong(); // entries before this one exist; written by the producer
    private final AtomicLong fenced = new AtomicLong(); // entries before this one are final; written by the consumer
    private final AtomicLong read = new AtomicLong(); // entries before this one are free again; written by the consumer

    /** @param capacity a power of two */
    CoalescingRing(int capacity) {
        mask = capacity - 1;
        keys = new Object[capacity];
        values = new AtomicReferenceArray<>(capacity);
    }

    /** Called by the producer; returns false if there is no room for another key. */
    boolean offer(K key, V value) {
        long end = written.getPlain();
        for (long entry = fenced.get(); entry < end; entry++) {
            int at = (int) entry & mask;
            if (key.equals(keys[at])) {
                values.set(at, value);
                if (fenced.get() <= entry) {
                    return true; // the value was replaced before the consumer's fence
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

    /** Called by the consumer: shows all entries and returns their number. */
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
