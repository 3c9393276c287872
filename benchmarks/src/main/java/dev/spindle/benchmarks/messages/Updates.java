// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.Spindle;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Producers;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.compare.Waits;
import dev.spindle.benchmarks.messages.Updates.Feed.Tick;
import dev.spindle.channel.Channel;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Sends updates of random keys through a new contender in each pass. */
record Updates(int keys, int producers, long shownNanos, boolean mayRepeat) {
    static final Figure UPDATE = Figure.less("ns_per_update", "ns/update");
    static final Figure UPDATES_PER_SHOWN = Figure.more("updates_per_shown", "updates for each shown");

    /** The maximum time in which the producers of a pass send updates. */
    static final Duration LIMIT = Duration.ofSeconds(1);

    private static final int UPDATES = 100_000_000;
    private static final int LEAST = 100_000;
    private static final int ORDER = 1 << 16;
    private static final int CLOCK_MASK = (1 << 12) - 1;

    Subject through(Feed.Maker maker, Subject.Scale scale) {
        int share = (scale.full() ? UPDATES : LEAST) / producers;
        int[] order = new SplittableRandom(1).ints(ORDER, 0, keys).toArray();
        Producers threads = new Producers(producers);
        return Subject.of(recorder -> pass(recorder, maker, share, order, threads), threads::close);
    }

    private void pass(Recorder recorder, Feed.Maker maker, int share, int[] order, Producers threads)
            throws InterruptedException {
        Screen screen = new Screen();
        long[][] sent = new long[producers][keys];
        long[] updates = new long[producers];
        Feed feed = maker.open(keys, screen::show);
        recorder.begin();
        threads.runAll(producers, producer -> {
            long end = System.nanoTime() + LIMIT.toNanos();
            int offset = producer * (ORDER / producers);
            long number = 0;
            while (number < share && ((number & CLOCK_MASK) != 0 || System.nanoTime() < end)) {
                int key = order[(int) (number + offset) & (ORDER - 1)];
                number++;
                feed.updates().accept(new Tick(key, producer, number));
                sent[producer][key] = number;
            }
            updates[producer] = number;
        });
        feed.end().run();
        long all = LongStream.of(updates).sum();
        recorder.end(all, UPDATE);
        recorder.value(UPDATES_PER_SHOWN, (double) all / Math.max(1, screen.shown));
        long failed = LongStream.of(updates).filter(number -> number == 0).count();
        recorder.violations(failed + screen.violations(sent));
    }

    /** The consumer, which records the last number of each producer and key, and counts ticks received out of order. */
    private final class Screen {
        private final long[][] last = new long[producers][keys];
        private long shown;
        private long wrong;

        void show(Tick tick) {
            long[] numbers = last[tick.producer()];
            long before = numbers[tick.key()];
            if (tick.number() < before || (tick.number() == before && !mayRepeat)) {
                wrong++;
            }
            numbers[tick.key()] = tick.number();
            shown++;
            if (shownNanos > 0) {
                long end = System.nanoTime() + shownNanos;
                while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
            }
        }

        /** Returns the number of ticks out of order, plus the number of keys whose last update was not received. */
        long violations(long[][] sent) {
            long violations = wrong;
            for (int key = 0; key < keys; key++) {
                boolean any = false;
                boolean showsALast = false;
                for (int producer = 0; producer < producers; producer++) {
                    any |= sent[producer][key] > 0;
                    showsALast |= sent[producer][key] > 0 && last[producer][key] == sent[producer][key];
                }
                violations += any && !showsALast ? 1 : 0;
            }
            return violations;
        }
    }

    /**
     * A contender that transfers the updates of the producers to a consumer. The keys are allocated beforehand.
     *
     * @param updates replaces the latest tick of a key; called by any producer
     * @param end waits until the consumer has received the last tick of each key; called after all producers have ended
     */
    record Feed(Consumer<Feed.Tick> updates, Waits.Wait end) {
        private static final long STOP = -1;

        /** Creates a contender that passes ticks to {@code screen}, never two at once. */
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
         * consumer share a ring of keys and values. The producer searches the entries from {@code fenced} to {@code
         * written} for its key. If the key is found, the producer replaces the value; otherwise the producer adds an
         * entry. The consumer first sets {@code fenced} to {@code written}, and then takes the entries before {@code
         * fenced}. If the consumer sets {@code fenced} past an entry while the producer replaces the value, the
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
}
