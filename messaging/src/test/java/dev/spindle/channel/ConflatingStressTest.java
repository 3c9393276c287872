// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.resultOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A conflating channel under many senders. */
@Tag("stress")
class ConflatingStressTest {
    private static final int PRODUCERS = 4;
    private static final int KEYS = 100;
    private static final long NANOS = 1_200_000_000;

    private final Spindle spindle = Spindle.create();
    private final ConcurrentLinkedQueue<String> broken = new ConcurrentLinkedQueue<>();

    /** A value with plain fields, written by its producer before the send and read by the handler. */
    private static final class Tick {
        private final int key;
        private int producer;
        private long number;

        Tick(int key) {
            this.key = key;
        }

        int key() {
            return key;
        }
    }

    /** The state of the handler, in plain fields, since its runs are ordered. */
    private final class Screen {
        private final long[][] last = new long[PRODUCERS][KEYS];
        private boolean inside;

        void show(Tick tick) {
            if (inside) {
                broken.add("two deliveries at once");
            }
            inside = true;
            if (tick.number == 0) {
                broken.add("a value without what was written before its send");
            }
            if (tick.number <= last[tick.producer][tick.key]) {
                broken.add("key " + tick.key + " went back to " + tick.number + " of producer " + tick.producer);
            }
            last[tick.producer][tick.key] = tick.number;
            inside = false;
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        spindle.shutdownNow();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void c1_manyProducers_eachKeyGoesForwardToItsLastValue() throws Exception {
        Screen screen = new Screen();
        Channel<Tick> ticks = Channel.conflating("ticks", KEYS / 2, Tick::key); // some senders wait
        CompletableFuture<?> end = ticks.forEach(spindle.strand("screen"), screen::show);
        long[][] sent = new long[PRODUCERS][KEYS];
        Thread[] producers = new Thread[PRODUCERS];
        for (int p = 0; p < PRODUCERS; p++) {
            int producer = p;
            producers[p] = new Thread(() -> produce(ticks, producer, sent[producer]));
            producers[p].start();
        }
        for (Thread producer : producers) {
            producer.join();
        }
        ticks.close();
        resultOf(end);

        assertThat(broken).isEmpty();
        for (int key = 0; key < KEYS; key++) {
            int k = key;
            assertThat(PRODUCERS).as("the last value of key %s", key).satisfies(all -> {
                boolean one = false;
                for (int p = 0; p < all; p++) {
                    one |= sent[p][k] == screen.last[p][k];
                }
                assertThat(one).isTrue();
            });
        }
    }

    private static void produce(Channel<Tick> to, int producer, long[] sent) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long end = System.nanoTime() + NANOS;
        for (long number = 1; (number & 63) != 0 || System.nanoTime() < end; number++) {
            Tick tick = new Tick(random.nextInt(KEYS));
            tick.producer = producer;
            tick.number = number;
            if ((number & 15) == 0) {
                try {
                    to.send(tick);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            } else if (!to.offer(tick)) {
                continue;
            }
            sent[tick.key] = number;
        }
    }

    /** Sums are not lost although senders merge while the consumer takes. */
    @Test
    void c1_mergedValues_loseNothing() throws Exception {
        long[] sums = new long[KEYS];
        record Part(int key, long amount) {}
        Channel<Part> parts = Channel.conflating(
                "parts", KEYS / 2, Part::key, (one, other) -> new Part(one.key(), one.amount() + other.amount()));
        CompletableFuture<?> end = parts.forEach(
                spindle.strand("sums"), 16, some -> some.forEach(part -> sums[part.key()] += part.amount()));
        Thread[] producers = new Thread[PRODUCERS];
        for (int p = 0; p < PRODUCERS; p++) {
            producers[p] = new Thread(() -> {
                try {
                    for (int i = 0; i < 100_000; i++) {
                        parts.send(new Part(i % KEYS, i));
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            producers[p].start();
        }
        for (Thread producer : producers) {
            producer.join();
        }
        parts.close();
        resultOf(end);

        long all = 0;
        for (long sum : sums) {
            all += sum;
        }
        assertThat(all).isEqualTo(PRODUCERS * (100_000L * 99_999 / 2));
    }

    @RepeatedTest(5)
    void s1_singleOffers_startWithoutHelp() {
        AtomicInteger handled = new AtomicInteger();
        Channel<Integer> channel = Channel.conflating("channel", 4, value -> value & 1);
        CompletableFuture<?> unused = channel.forEach(spindle.strand("strand"), value -> handled.incrementAndGet());
        for (int i = 1; i <= 100; i++) {
            assertThat(channel.offer(i)).isTrue();
            long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (handled.get() < i) { // no other thread offers, so a lost start would be final
                assertThat(System.nanoTime()).isLessThan(limit);
                Thread.yield();
            }
        }
    }

    @RepeatedTest(200)
    void c1_closeAgainstOffers_acceptedIsHandledAndNothingAfterwards() throws Exception {
        AtomicInteger handled = new AtomicInteger();
        AtomicInteger accepted = new AtomicInteger();
        Channel<Integer> channel = Channel.conflating("channel", 1 << 16, value -> value);
        CompletableFuture<?> end = channel.forEach(spindle.strand("strand"), value -> handled.incrementAndGet());
        CountDownLatch ready = new CountDownLatch(1);
        Thread producer = new Thread(() -> {
            ready.countDown();
            try {
                for (int key = 0; ; key++) {
                    accepted.addAndGet(channel.offer(key) ? 1 : 0);
                }
            } catch (ChannelClosedException closed) {
                // the end of the test
            }
        });
        producer.start();
        await(ready);
        channel.close();
        resultOf(end);
        int atClose = handled.get();
        producer.join();

        assertThat(accepted.get()).isEqualTo(atClose);
        assertThat(handled.get()).isEqualTo(atClose);
    }
}
