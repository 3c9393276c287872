// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.resultOf;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many producers against one handler, for a bounded time. */
@Tag("stress")
class CoalescerStressTest {
    private static final int PRODUCERS = 4;
    private static final int KEYS = 100;
    private static final long NANOS = 1_200_000_000;

    @RegisterExtension
    final Bench bench = new Bench();

    private final ConcurrentLinkedQueue<String> broken = new ConcurrentLinkedQueue<>();

    /** A value with plain fields, written by its producer before the offer and read by the handler. */
    private static final class Tick {
        private int producer;
        private long number;
    }

    /** The state of the handler, in plain fields, since its runs are ordered. */
    private final class Screen {
        private final long[][] last = new long[PRODUCERS][KEYS];
        private boolean inside;
        private long shown;

        void show(int key, Tick tick) {
            if (inside) {
                broken.add("two deliveries at once");
            }
            inside = true;
            shown++;
            if (tick.number == 0) {
                broken.add("a value without what was written before its offer");
            }
            if (tick.number <= last[tick.producer][key]) {
                broken.add("key " + key + " went back to " + tick.number + " of producer " + tick.producer);
            }
            last[tick.producer][key] = tick.number;
            inside = false;
        }
    }

    @Test
    void l2_manyProducers_eachKeyGoesForwardToItsLastValue() throws Exception {
        Screen screen = new Screen();
        Coalescer<Integer, Tick> ticks = Coalescer.<Integer, Tick>builder(bench.spindle(), screen::show)
                .maxKeys(KEYS / 2) // some senders wait, and some keys are forgotten
                .build();
        long[][] sent = new long[PRODUCERS][KEYS];
        AtomicLong accepted = new AtomicLong();
        Thread[] producers = new Thread[PRODUCERS];
        for (int p = 0; p < PRODUCERS; p++) {
            int producer = p;
            producers[p] = new Thread(() -> accepted.addAndGet(produce(ticks, producer, sent[producer])));
            producers[p].start();
        }
        for (Thread producer : producers) {
            producer.join();
        }
        resultOf(ticks.drain());

        assertThat(broken).isEmpty();
        assertThat(ticks.delivered()).isEqualTo(screen.shown);
        assertThat(ticks.delivered() + ticks.superseded()).isEqualTo(accepted.get());
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

    private static long produce(Coalescer<Integer, Tick> to, int producer, long[] sent) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long end = System.nanoTime() + NANOS;
        long accepted = 0;
        for (long number = 1; (number & 63) != 0 || System.nanoTime() < end; number++) {
            int key = random.nextInt(KEYS);
            Tick tick = new Tick();
            tick.producer = producer;
            tick.number = number;
            if ((number & 15) == 0) {
                try {
                    to.send(key, tick);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            } else if (!to.offer(key, tick)) {
                continue;
            }
            accepted++;
            sent[key] = number;
        }
        return accepted;
    }

    @RepeatedTest(5)
    void s1_singleOffers_startWithoutHelp() {
        AtomicInteger delivered = new AtomicInteger();
        Coalescer<Integer, Integer> coalescer =
                Coalescer.create(bench.spindle(), (k, v) -> delivered.incrementAndGet());
        for (int i = 1; i <= 100; i++) {
            assertThat(coalescer.offer(i & 1, i)).isTrue();
            long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (delivered.get() < i) { // no other thread offers, so a lost start would be final
                assertThat(System.nanoTime()).isLessThan(limit);
                Thread.yield();
            }
        }
        assertThat(coalescer.superseded()).isZero();
    }

    @RepeatedTest(200)
    void f3_closeAgainstOffers_acceptedIsDeliveredAndNothingAfterwards() throws Exception {
        AtomicInteger delivered = new AtomicInteger();
        AtomicInteger accepted = new AtomicInteger();
        Coalescer<Integer, Integer> coalescer =
                Coalescer.create(bench.spindle(), (k, v) -> delivered.incrementAndGet());
        CountDownLatch ready = new CountDownLatch(1);
        Thread producer = new Thread(() -> {
            ready.countDown();
            try {
                for (int key = 0; ; key++) {
                    accepted.addAndGet(coalescer.offer(key, key) ? 1 : 0);
                }
            } catch (RejectedExecutionException closed) {
                // the end of the test
            }
        });
        producer.start();
        await(ready);
        coalescer.close();
        int atClose = delivered.get();
        producer.join();

        assertThat(accepted.get()).isEqualTo(atClose);
        assertThat(delivered.get()).isEqualTo(atClose);
    }
}
