// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** D1 for strands and groups of strands: their shutdowns, and the costs of these. */
@Timeout(120)
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes of the tasks are checked by other means
class StrandEndContractTest {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void d1_interruptedCloseOfAGroup_shutsAllDownNow(boolean alone) throws InterruptedException {
        Spindle spindle = Spindles.options().coreThreads(4).build();
        StrandGroup group = alone
                ? Strand.builder("group").buildGroup(4)
                : spindle.strandBuilder("group").buildGroup(4);
        CountDownLatch running = new CountDownLatch(4);
        AtomicInteger interrupted = new AtomicInteger();
        for (int i = 0; i < 4; i++) {
            group.at(i).execute(() -> {
                running.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.incrementAndGet();
                }
            });
        }
        await(running);
        AtomicBoolean kept = new AtomicBoolean();
        Thread closer = new Thread(() -> {
            Thread.currentThread().interrupt();
            group.close();
            kept.set(Thread.currentThread().isInterrupted());
        });
        closer.start();
        closer.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(group.strands()).allMatch(Strand::isTerminated);
        assertThat(interrupted).hasValue(4);
        assertThat(kept).isTrue();
        spindle.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = WaitStrategy.class,
            names = {"SPIN", "YIELD"})
    void d1_strandThatSpins_spinsNoMoreAfterItsShutdown(WaitStrategy strategy) throws InterruptedException {
        AtomicReference<@Nullable Thread> worker = new AtomicReference<>();
        Strand strand = Strand.builder("spins", Thread::new, strategy).build();
        result(strand.submit(() -> worker.set(Thread.currentThread())));
        strand.schedule(() -> {}, 1, TimeUnit.HOURS);
        strand.shutdown();
        until(() -> {
            Thread thread = worker.get();
            Thread.State state = thread == null ? Thread.State.NEW : thread.getState();
            return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
        });
        strand.shutdownNow();
        assertThat(strand.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void u2_strandsThatEnd_leaveNothingWithTheSpindle() throws InterruptedException {
        try (Spindle spindle = Spindle.create()) {
            for (int i = 0; i < 1_000; i++) {
                Strand strand = spindle.strand("s");
                strand.execute(() -> {});
                assertThat(strand.awaitTermination(0, TimeUnit.NANOSECONDS)).isFalse();
                strand.close();
                assertThat(strand.awaitTermination(0, TimeUnit.NANOSECONDS)).isTrue();
            }
            assertThat(spindle.kernel().terminated().forLibrary().getNumberOfDependents())
                    .isZero();
            until(() -> spindle.kernel().awaited().isEmpty()); // a strand is removed after it has terminated
        }
    }

    @Test
    void d1_spindleEnds_strandsThatAreAwaitedEnd() throws InterruptedException {
        Spindle spindle = Spindle.create();
        Strand strand = spindle.strand("s");
        result(strand.submit(() -> {}));
        assertThat(strand.awaitTermination(0, TimeUnit.NANOSECONDS)).isFalse();
        spindle.close();
        assertThat(strand.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    /** Repeated, since a try counts only if the machine was fast enough. */
    @Test
    void d1_quietPeriod_countsFromTheLastTask() {
        long quiet = TimeUnit.MILLISECONDS.toNanos(800);
        boolean inTime = false;
        for (int i = 0; i < 5 && !inTime; i++) {
            Strand strand =
                    Strand.builder("s").quietPeriod(Duration.ofNanos(quiet)).build();
            AtomicLong last = new AtomicLong();
            strand.shutdown();
            var end = strand.terminated();
            long half = System.nanoTime() + quiet / 2;
            until(() -> System.nanoTime() - half > 0);
            try {
                strand.execute(() -> last.set(System.nanoTime()));
            } catch (java.util.concurrent.RejectedExecutionException e) {
                continue; // the machine was too slow
            }
            result(end);
            long passed = System.nanoTime() - last.get();
            assertThat(passed).isGreaterThanOrEqualTo(quiet);
            inTime = passed < quiet * 5 / 4;
        }
        assertThat(inTime).isTrue();
    }
}
