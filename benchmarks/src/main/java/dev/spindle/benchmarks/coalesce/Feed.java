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
 * A contender that transfers the updates of the producers to a consumer. The keys are allocated beforehand.
 *
 * @param updates replaces the latest tick of a key; called by any producer
 * @param end waits until the consumer has received the last tick of each key; called after all producers have ended
 */
record Feed(Consumer<Feed.Tick> updates, Waits.Wait end) {
    private static final long STOP = -1;

    /** Creates a contender that passes ticks to {@code screen}, and never two ticks of one key concurrently. */
    interface Maker {
        Feed open(int keys, Consumer<Tick> screen);
    }

    /** @param number the number of this update in the producer's sequence, starting at 1 */
    record Tick(int key, int producer, long number) {}

    private static Long[] keys(int count) {
        Long[] keys = new Long[count];
        Arrays.setAll(keys, key -> 1_000L + key);
        return keys;
    }

    /** Stores the ticks in an array without a consumer, which shows the cost of the producers alone. */
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
        Keyed<Long> keyed = spindle.keyed("keys");
        return new Feed(
                tick -> {
                    var unused = keyed.coalesce(keys[tick.key()], () -> screen.accept(tick));
                },
                spindle::close);
    }

    /** Starts a consumer that polls a coalescing ring without blocking. */
    static Feed ring(int count, Consumer<Tick> screen) {
        Long[] keys = keys(count);
        CoalescingRing<Long, Tick> ring = new CoalescingRing<>(Math.max(1_024, 2 * Integer.highestOneBit(count)));
        Thread consumer = Waits.start("consumer", () -> {
            boolean last = false;
            while (ring.drainTo(screen) > 0 || !last) {
                last = Thread.currentThread().isInterrupted(); // all ticks that precede the interrupt are visible
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

    /** Starts a consumer that blocks on a queue of keys; a map holds the latest tick of each key. */
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
     * A coalescing ring buffer, written from the published description of LMAX's ring buffer. One producer and one
     * consumer share a ring of keys and values. The producer searches the entries from {@code fenced} to
     * {@code written} for its key. If the key is found, the producer replaces the value; otherwise the producer adds an
     * entry. The consumer first sets {@code fenced} to {@code written}, and then takes the entries before
     * {@code fenced}. If the consumer sets {@code fenced} past an entry while the producer replaces the value, the
     * producer also adds the value as a new entry. The consumer may then receive the value twice.
     */
    private static final class CoalescingRing<K, V> {
        private final int mask;
        private final @Nullable Object[] keys; // used only by the producer
        private final AtomicReferenceArray<@Nullable V> values;
        private final AtomicLong written = new AtomicLong(); // end of the entries; written by the producer
        private final AtomicLong fenced = new AtomicLong(); // end of the final entries; written by the consumer
        private final AtomicLong read = new AtomicLong(); // end of the consumed entries; written by the consumer

        /** @param capacity a power of two */
        CoalescingRing(int capacity) {
            mask = capacity - 1;
            keys = new Object[capacity];
            values = new AtomicReferenceArray<>(capacity);
        }

        /** Called by the producer; returns false if the value needs a new entry and the ring is full. */
        boolean offer(K key, V value) {
            long end = written.getPlain();
            for (long entry = fenced.get(); entry < end; entry++) {
                int at = (int) entry & mask;
                if (key.equals(keys[at])) {
                    values.set(at, value);
                    if (fenced.get() <= entry) {
                        return true; // the consumer will read the new value
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

        /** Called by the consumer; passes all entries to {@code screen} and returns their number. */
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
