// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.benchmarks.coalesce.Feed.Tick;
import dev.spindle.benchmarks.compare.Waits;
import dev.spindle.channel.Channel;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/** The contenders. Keys are objects created beforehand, like the keys of a feed. */
final class Feeds {
    private static final long STOP = -1;

    private Feeds() {}

    /** The end of a feed. */
    private interface End {
        void run() throws InterruptedException;
    }

    private record Made(Consumer<Tick> updates, End end) implements Feed {
        @Override
        public void update(Tick tick) {
            updates.accept(tick);
        }

        @Override
        public void finish() throws InterruptedException {
            end.run();
        }
    }

    private static Long[] keys(int count) {
        Long[] keys = new Long[count];
        Arrays.setAll(keys, key -> 1_000L + key);
        return keys;
    }

    /** The work of the producers without any hand-over. */
    static Feed array(int count, Consumer<Tick> screen) {
        AtomicReferenceArray<Tick> latest = new AtomicReferenceArray<>(count);
        return new Made(tick -> latest.setRelease(tick.key(), tick), () -> {
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
        return new Made(channel::offer, () -> {
            channel.close();
            end.join();
            spindle.close();
        });
    }

    static Feed keyed(int count, Consumer<Tick> screen) {
        Long[] keys = keys(count);
        Spindle spindle = Spindle.create();
        Keyed<Long> keyed = spindle.keyed();
        return new Made(tick -> keyed.coalesce(keys[tick.key()], () -> screen.accept(tick)), spindle::close);
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
        return new Made(
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
        return new Made(
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
}
