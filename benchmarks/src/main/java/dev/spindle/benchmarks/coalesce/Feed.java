// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.benchmarks.compare.Waits;
import dev.spindle.channel.Channel;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A contender, fed by producers. Keys are objects created beforehand, like the keys of a feed.
 *
 * @param updates makes a tick the latest of its key; called by any producer
 * @param end waits until all ticks were shown; called when all producers have ended
 */
record Feed(Consumer<Feed.Tick> updates, Waits.Wait end) {
    private static final long STOP = -1;

    /** Creates a contender that shows the latest ticks to {@code screen}, never two of one key at once. */
    interface Maker {
        Feed open(int keys, Consumer<Tick> screen);
    }

    /**
     * An update. All fields are plain, since the hand-over has to publish them.
     *
     * @param number the number of this update among those of its producer, from 1
     */
    record Tick(int key, int producer, long number) {}

    private static Long[] keys(int count) {
        Long[] keys = new Long[count];
        Arrays.setAll(keys, key -> 1_000L + key);
        return keys;
    }

    /** The work of the producers without any hand-over. */
    static Feed array(int count, Consumer<Tick> screen) {
        AtomicReferenceArray<Tick> latest = new AtomicReferenceArray<>(count);
        return new Feed(tick -> latest.setRelease(tick.key(), tick), () -> {
            for (int key = 0; key < count; key++) {
                Tick tick = latest.get(key);
                if (tick != null) {
                    screen.accept(tick);
                }
            }
        });
    }

    static Feed channel(int count, Consumer<Tick> screen) {
        Long[] keys = keys(count);
        Spindle spindle = Spindle.create();
        Channel<Tick> channel = Channel.conflating("ticks", 1 << 16, tick -> keys[tick.key()]);
        CompletableFuture<?> end = channel.forEach(spindle.strand("screen"), screen);
        return new Feed(channel::offer, () -> {
            channel.close();
            end.join();
            spindle.close();
        });
    }

    static Feed keyed(int count, Consumer<Tick> screen) {
        Long[] keys = keys(count);
        Spindle spindle = Spindle.create();
        Keyed<Long> keyed = spindle.keyed();
        return new Feed(
                tick -> {
                    var unused = keyed.coalesce(keys[tick.key()], () -> screen.accept(tick));
                },
                spindle::close);
    }

    /** The coalescing ring, and a thread that polls it without a pause. */
    static Feed ring(int count, Consumer<Tick> screen) {
        Long[] keys = keys(count);
        CoalescingRing<Long, Tick> ring = new CoalescingRing<>(Math.max(1_024, 2 * Integer.highestOneBit(count)));
        Thread consumer = Waits.start("consumer", () -> {
            boolean last = false;
            while (ring.drainTo(screen) > 0 || !last) {
                last = Thread.currentThread().isInterrupted(); // all ticks from before the interrupt can be polled
                Thread.onSpinWait();
            }
        });
        return new Feed(
                tick -> {
                    while (!ring.offer(keys[tick.key()], tick)) {
                        Thread.onSpinWait();
                    }
                },
                () -> {
                    consumer.interrupt();
                    consumer.join();
                });
    }

    /** A map with the latest tick of each key, a queue of the keys, and a thread that takes them. */
    static Feed blocking(int count, Consumer<Tick> screen) {
        Long[] keys = keys(count);
        ConcurrentHashMap<Long, Tick> latest = new ConcurrentHashMap<>();
        BlockingQueue<Long> pending = new LinkedBlockingQueue<>();
        Thread consumer = Waits.start(
                "consumer",
                () -> Waits.ignoring(() -> {
                    for (Long key = pending.take(); key != STOP; key = pending.take()) {
                        Tick tick = latest.remove(key);
                        if (tick != null) {
                            screen.accept(tick);
                        }
                    }
                }));
        return new Feed(
                tick -> {
                    if (latest.put(keys[tick.key()], tick) == null) {
                        pending.add(keys[tick.key()]);
                    }
                },
                () -> {
                    pending.add(STOP);
                    consumer.join();
                });
    }

    /**
     * A control, written from the published description of LMAX's coalescing ring buffer, which no registry has. One
     * producer and one consumer share a ring of keys and values. The producer searches the entries that it may still
     * change for its key. If it finds the key, it replaces the value, else it adds an entry. The consumer first
     * advances the fence, up to which the producer must not change entries, and then takes the entries before it. A
     * replacement that races with the fence may be missed, so the producer adds the value again, and it may be shown
     * twice.
     */
    private static final class CoalescingRing<K, V> {
        private final int mask;
        private final @Nullable Object[] keys; // used by the producer alone
        private final AtomicReferenceArray<@Nullable V> values;
        private final AtomicLong written = new AtomicLong(); // entries before this one exist; the producer's
        private final AtomicLong fenced = new AtomicLong(); // entries before this one are final; the consumer's
        private final AtomicLong read = new AtomicLong(); // entries before this one are free again; the consumer's

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
}
