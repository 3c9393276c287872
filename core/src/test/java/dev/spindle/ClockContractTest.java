// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Odd clocks: only differences of readings matter, and a clock that jumps or stands still loses no task. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes of the tasks are checked by other means
class ClockContractTest {
    /** Returns a clock that wraps around {@code millis} milliseconds after its creation. */
    private static LongSupplier wrapping(long millis) {
        long offset = Long.MAX_VALUE - TimeUnit.MILLISECONDS.toNanos(millis) - System.nanoTime();
        return () -> System.nanoTime() + offset;
    }

    @Test
    void t1_clockWraps_timersGrowthLingerAndKeepAliveGoOn() {
        try (Spindle spindle = Spindles.options()
                .coreThreads(1)
                .maxThreads(4)
                .growCoreAfter(0)
                .keyKeepAlive(Duration.ofMillis(20))
                .keepAlive(Duration.ofMillis(20))
                .clock(wrapping(40))
                .build()) {
            AtomicInteger periodic = new AtomicInteger();
            spindle.scheduleAtFixedRate(periodic::incrementAndGet, 1, 5, TimeUnit.MILLISECONDS);
            List<CompletableFuture<?>> delayed = new ArrayList<>();
            for (int millis = 5; millis <= 100; millis += 5) {
                CompletableFuture<Long> due = new CompletableFuture<>();
                long wanted = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
                spindle.keyed("keys")
                        .at(millis)
                        .schedule(() -> due.complete(System.nanoTime() - wanted), millis, TimeUnit.MILLISECONDS);
                delayed.add(due.thenAccept(late -> assertThat(late).isGreaterThanOrEqualTo(0)));
            }
            for (int round = 0; round < 5; round++) {
                Gate gate = new Gate();
                spindle.execute(gate);
                gate.awaitEntered();
                CountDownLatch behind = new CountDownLatch(1);
                spindle.execute(behind::countDown);
                await(behind); // a worker was added
                gate.open();
            }
            delayed.forEach(TestSupport::result);
            int before = periodic.get();
            until(() -> periodic.get() >= before + 3);
            until(() -> spindle.stats().keys() == 0);
            until(() -> spindle.stats().threads() <= 2);
        }
    }

    /** A clock that parks consumes the permit of an unpark between a worker's check and its park. */
    @Test
    void t2_clockThatWaits_losesNoWakeUp() throws Exception {
        try (Spindle spindle = Spindles.options()
                .coreThreads(1)
                .maxThreads(2)
                .clock(() -> {
                    LockSupport.parkNanos(1);
                    return System.nanoTime();
                })
                .build()) {
            Gate gate = new Gate();
            spindle.execute(gate);
            spindle.submit(gate::open).get(10, TimeUnit.SECONDS); // two workers, one of which may end
            for (int round = 0; round < 2_000; round++) {
                int expected = round;
                LockSupport.parkNanos(1 + 500L * (round % 1_000)); // so that the workers are about to park
                assertThat(spindle.submit(() -> expected).get(10, TimeUnit.SECONDS))
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void t3_clockJumpsForward_isNotTakenForStuckWork() {
        AtomicLong jump = new AtomicLong();
        try (Spindle spindle = Spindles.options()
                .coreThreads(1)
                .maxThreads(16)
                .growCoreAfter(0)
                .clock(() -> System.nanoTime() + jump.get())
                .build()) {
            AtomicInteger ran = new AtomicInteger();
            for (int round = 0; round < 20; round++) {
                for (int i = 0; i < 200; i++) {
                    spindle.execute(ran::incrementAndGet);
                    spindle.keyed("keys").execute(i % 3, ran::incrementAndGet);
                }
                jump.addAndGet(TimeUnit.DAYS.toNanos(365));
            }
            until(() -> ran.get() == 8_000);
            assertThat(spindle.stats().peakThreads()).isLessThanOrEqualTo(8);
        }
    }

    @Test
    void d1_clockStandsStill_tasksRunAndShutdownEnds() throws InterruptedException {
        Spindle spindle =
                Spindles.options().coreThreads(2).maxThreads(4).clock(() -> 42).build();
        List<CompletableFuture<Integer>> results = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            int number = i;
            results.add(spindle.submit(() -> number));
            results.add(spindle.keyed("keys").submit(i % 5, () -> number));
        }
        assertThat(results.stream().mapToInt(TestSupport::result).sum()).isEqualTo(999_000);
        spindle.shutdown(); // not close(), which would wait for a worker that never parks
        assertThat(spindle.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void k7_collidingHashes_makeNoDifference() {
        record Colliding(int id) {
            @Override
            public int hashCode() {
                return 1;
            }
        }
        try (Spindle spindle = Spindles.options()
                .coreThreads(2)
                .keyKeepAlive(Duration.ofMillis(5))
                .build()) {
            Keyed<Object> keys = spindle.keyed("keys");
            int[] counts = new int[500]; // plain: each written by its own lane
            AtomicInteger wrong = new AtomicInteger();
            for (int round = 0; round < 20; round++) {
                int expected = round;
                for (int id = 0; id < counts.length; id++) {
                    int index = id;
                    keys.execute(new Colliding(id), () -> {
                        if (counts[index]++ != expected) {
                            wrong.incrementAndGet();
                        }
                    });
                }
            }
            until(() -> spindle.stats().completed() == 10_000);
            assertThat(counts).containsOnly(20);
            assertThat(wrong).hasValue(0);
            until(() -> spindle.stats().keys() == 0);
        }
    }
}
