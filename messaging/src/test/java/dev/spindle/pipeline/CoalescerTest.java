// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.TestSupport.unsafeNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Strand;
import dev.spindle.pipeline.Bench.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Offers, deliveries and their order. */
class CoalescerTest {
    @RegisterExtension
    final Bench bench = new Bench();

    private final Gate gate = new Gate();
    private final Coalescer<String, Integer> coalescer = Coalescer.create(bench.spindle(), gate);

    @Test
    void offer_toAnIdleCoalescer_startsWithoutHelp() {
        CountDownLatch seen = new CountDownLatch(1);
        Coalescer<String, Integer> fresh = Coalescer.create(bench.spindle(), (k, v) -> seen.countDown());

        assertThat(fresh.offer("a", 1)).isTrue();

        await(seen);
    }

    @Test
    void offer_ofAPendingKey_supersedesTheOlderAndKeepsItsPlace() {
        gate.block(coalescer);
        coalescer.offer("a", 1);
        coalescer.offer("b", 2);
        coalescer.offer("a", 3);
        assertThat(coalescer.estimatedPending()).isEqualTo(2);

        gate.open();
        resultOf(coalescer.drain());

        assertThat(gate.seen()).containsExactly("a3", "b2");
        assertThat(coalescer.delivered()).isEqualTo(3);
        assertThat(coalescer.superseded()).isEqualTo(1);
    }

    @Test
    void offer_ofTheKeyThatIsBeingDelivered_isDeliveredAfterwards() {
        gate.block(coalescer);
        coalescer.offer("gate", 7);
        gate.open();
        resultOf(coalescer.drain());

        assertThat(coalescer.delivered()).isEqualTo(2);
        assertThat(coalescer.superseded()).isZero();
    }

    @Test
    void offer_fromTheHandler_isDeliveredAfterWhatIsPending() {
        List<String> seen = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(3);
        List<Coalescer<String, Integer>> self = new ArrayList<>();
        self.add(Coalescer.create(bench.spindle(), (k, v) -> {
            seen.add(k + v);
            if (v < 3) {
                self.get(0).offer(k, v + 1);
            }
            done.countDown();
        }));

        self.get(0).offer("a", 1);

        await(done);
        assertThat(seen).containsExactly("a1", "a2", "a3");
    }

    @Test
    void merge_ofAPendingKey_makesOneOfTwoValues() {
        Coalescer<String, Integer> sums = Coalescer.<String, Integer>builder(bench.spindle(), gate)
                .merge(Integer::sum)
                .build();
        gate.block(sums);
        sums.offer("a", 1);
        sums.offer("a", 2);
        sums.offer("a", 4);
        gate.open();
        resultOf(sums.drain());

        assertThat(gate.seen()).containsExactly("a7");
        assertThat(sums.superseded()).isEqualTo(2);
    }

    @Test
    void merge_thatThrows_reachesTheOffererAndTheOlderValueStays() {
        RuntimeException thrown = new IllegalStateException("merge");
        Coalescer<String, Integer> merging = Coalescer.<String, Integer>builder(bench.spindle(), gate)
                .merge((a, b) -> {
                    throw thrown;
                })
                .build();
        gate.block(merging);
        merging.offer("a", 1);

        assertThatThrownBy(() -> merging.offer("a", 2)).isSameAs(thrown);
        assertThatThrownBy(() -> resultOf(merging.sendAsync("a", 3))).hasCause(thrown);
        assertThatThrownBy(() -> merging.send("a", 4)).isSameAs(thrown);

        gate.open();
        resultOf(merging.drain());
        assertThat(gate.seen()).containsExactly("a1");
        assertThat(merging.superseded()).isZero();
    }

    @Test
    void merge_thatReturnsNull_isRefused() {
        Coalescer<String, Integer> merging = Coalescer.<String, Integer>builder(bench.spindle(), gate)
                .merge((a, b) -> unsafeNull())
                .build();
        gate.block(merging);
        merging.offer("a", 1);

        assertThatThrownBy(() -> merging.offer("a", 2))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("merge");
        gate.open();
        resultOf(merging.drain());
        assertThat(gate.seen()).containsExactly("a1");
    }

    @Test
    void handler_thatThrows_isReportedAndTheNextGoesOn() throws Exception {
        List<String> seen = new ArrayList<>();
        RuntimeException thrown = new IllegalStateException("handler");
        Coalescer<String, Integer> failing = Coalescer.<String, Integer>builder(bench.spindle(), (k, v) -> {
                    if (v < 0) {
                        throw thrown;
                    }
                    seen.add(k + v);
                })
                .name("prices")
                .build();
        failing.offer("a", -1);
        failing.offer("b", 2);
        resultOf(failing.drain());

        Bench.Failure failure = bench.takeFailure();
        assertThat(failure.key()).isEqualTo("a");
        assertThat(failure.thrown()).isSameAs(thrown);
        assertThat(failure.task()).asString().contains("prices");
        assertThat(seen).containsExactly("b2");
    }

    @Test
    void handler_thatInterruptsItself_doesNotInterruptTheNext() {
        List<Boolean> interrupted = new ArrayList<>();
        Coalescer<String, Integer> interrupting = Coalescer.create(bench.spindle(), (k, v) -> {
            interrupted.add(Thread.currentThread().isInterrupted());
            Thread.currentThread().interrupt();
        });
        interrupting.offer("a", 1);
        interrupting.offer("b", 2);
        resultOf(interrupting.drain());

        assertThat(interrupted).containsExactly(false, false);
    }

    @Test
    void keyCode_thatThrows_reachesTheOffererWithNothingAccepted() {
        record Broken(boolean hash) {
            @Override
            public int hashCode() {
                if (hash) {
                    throw new IllegalStateException("hashCode");
                }
                return 1;
            }

            @Override
            public boolean equals(@org.jspecify.annotations.Nullable Object other) {
                throw new IllegalStateException("equals");
            }
        }
        AtomicInteger delivered = new AtomicInteger();
        Coalescer<Object, Integer> coalescing =
                Coalescer.create(bench.spindle(), (k, v) -> delivered.incrementAndGet());

        assertThatThrownBy(() -> coalescing.offer(new Broken(true), 1)).hasMessage("hashCode");
        coalescing.offer(new Broken(false), 1); // alone in its bin, so it is not compared
        assertThatThrownBy(() -> coalescing.offer(new Broken(false), 2)).hasMessage("equals");
        assertThatThrownBy(() -> resultOf(coalescing.sendAsync(new Broken(true), 3)))
                .hasRootCauseMessage("hashCode");
        coalescing.offer("sound", 4);
        resultOf(coalescing.drain());

        assertThat(delivered).hasValue(2);
    }

    @Test
    void null_asKeyOrValueOrHandler_isRefused() {
        assertThatThrownBy(() -> coalescer.offer(unsafeNull(), 1)).hasMessage("key");
        assertThatThrownBy(() -> coalescer.offer("a", unsafeNull())).hasMessage("value");
        assertThatThrownBy(() -> coalescer.send(unsafeNull(), 1)).hasMessage("key");
        assertThatThrownBy(() -> coalescer.sendAsync(unsafeNull(), 1)).hasMessage("key");
        assertThatThrownBy(() -> coalescer.sendAsync("a", unsafeNull())).hasMessage("value");
        assertThatThrownBy(() -> Coalescer.create(bench.spindle(), unsafeNull()))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void builder_withAWrongOption_namesTheValue() {
        CoalescerBuilder<String, Integer> builder = Coalescer.builder(bench.spindle(), gate);

        assertThatThrownBy(() -> builder.maxKeys(0))
                .hasMessageContaining("maxKeys")
                .hasMessageContaining("0");
        assertThatThrownBy(() -> builder.batch(-1))
                .hasMessageContaining("batch")
                .hasMessageContaining("-1");
    }

    @Test
    void deliveries_onAStrandOfTheUser_doNotOverlapItsTasks() {
        Strand strand = bench.spindle().strand("book");
        AtomicInteger inside = new AtomicInteger();
        ConcurrentLinkedQueue<Integer> most = new ConcurrentLinkedQueue<>();
        Runnable alone = () -> {
            most.add(inside.incrementAndGet());
            inside.decrementAndGet();
        };
        Coalescer<Integer, Integer> onStrand = Coalescer.<Integer, Integer>builder(strand, (k, v) -> alone.run())
                .build();
        for (int i = 0; i < 500; i++) {
            onStrand.offer(i, i);
            strand.execute(alone);
        }
        resultOf(onStrand.drain());
        resultOf(strand.quiesce());

        assertThat(onStrand.name()).isEqualTo("book");
        assertThat(most).hasSize(1_000).containsOnly(1);
    }

    @Test
    void n1_slowHandler_letsOtherWorkOfItsStrandGoFirst() {
        Strand strand = bench.spindle().strand("shared");
        CountDownLatch other = new CountDownLatch(1);
        AtomicInteger before = new AtomicInteger();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch filled = new CountDownLatch(1);
        Coalescer<Integer, Integer> batched = Coalescer.<Integer, Integer>builder(strand, (k, v) -> {
                    begun.countDown();
                    await(filled);
                    before.addAndGet(other.getCount() > 0 ? 1 : 0);
                })
                .batch(4)
                .build();
        batched.offer(-1, 0);
        await(begun);
        for (int i = 0; i < 100; i++) {
            batched.offer(i, i);
        }
        strand.execute(other::countDown);
        filled.countDown();
        await(other);
        resultOf(batched.drain());

        assertThat(before.get()).isLessThanOrEqualTo(4);
        assertThat(batched.delivered()).isEqualTo(101);
    }

    @Test
    void toString_ofACoalescer_tellsItsNameAndState() {
        assertThat(coalescer).hasToString("coalescer coalescer[0 of at most 65536 keys pending]");
        resultOf(coalescer.drain());
        assertThat(coalescer).asString().endsWith(", closed]");
    }

    @Test
    void k7_everNewKeys_areForgotten() {
        Coalescer<Integer, Integer> few = Coalescer.<Integer, Integer>builder(bench.spindle(), (k, v) -> {})
                .maxKeys(64)
                .build();
        for (int key = 0; key < 20_000; key++) {
            while (!few.offer(key, key)) {
                Thread.yield();
            }
        }
        resultOf(few.drain());

        assertThat(few.delivered()).isEqualTo(20_000);
        assertThat(few.estimatedRemembered()).isLessThanOrEqualTo(3 * 64);
    }

    @Test
    void k7_refusedNewKeys_areNotRemembered() {
        Coalescer<String, Integer> one = Coalescer.<String, Integer>builder(bench.spindle(), gate)
                .maxKeys(1)
                .build();
        gate.block(one);
        one.offer("a", 1);
        for (int key = 0; key < 1_000; key++) {
            assertThat(one.offer("refused" + key, key)).isFalse();
        }

        assertThat(one.estimatedRemembered()).isEqualTo(2);
        gate.open();
        resultOf(one.drain());
    }
}
