// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * F3 and D1: two producers race with a shutdown, thousands of times. Each task has exactly one outcome (run, returned,
 * superseded or rejected), and every executor terminates.
 */
@Tag("stress")
@Timeout(60)
class ShutdownRaceStressTest {
    private static final int ROUNDS = 600;
    private static final int TASKS = 24;
    private static final int PRODUCERS = 2;

    /** A task that counts its outcomes. */
    private static final class Counted implements Runnable {
        private final AtomicInteger runs = new AtomicInteger();
        private boolean rejected; // written by the producer, read after the barrier
        private int kind;
        private @Nullable CompletableFuture<Boolean> handle;

        @Override
        public void run() {
            runs.incrementAndGet();
        }
    }

    /** One executor and its tasks. */
    private static final class Round {
        private final Spindle spindle;
        private final Strand strand;
        private final Counted[][] tasks = new Counted[PRODUCERS][TASKS];
        private final int number;

        Round(int number) {
            this.number = number;
            spindle = Spindle.builder()
                    .name("race")
                    .coreThreads(1 + number % 2)
                    .maxThreads(2)
                    .keyKeepAlive(Duration.ofNanos(1))
                    .build();
            strand = spindle.strand("strand");
        }

        void submit(int producer) {
            Keyed<Integer> keys = spindle.keyed("keys");
            for (int i = 0; i < TASKS; i++) {
                Counted task = new Counted();
                tasks[producer][i] = task;
                task.kind = (i + number) % 8;
                try {
                    switch (task.kind) {
                        case 0, 1 -> spindle.execute(task);
                        case 2 -> keys.execute(0, task);
                        case 3 -> keys.at(1).execute(task);
                        case 4 -> strand.execute(task);
                        case 5 -> task.handle = keys.coalesce(2, task);
                        case 6 ->
                            keys.at(3).schedule(task, 0, TimeUnit.NANOSECONDS).isDone();
                        default -> spindle.submit(task).isDone();
                    }
                } catch (RejectedExecutionException e) {
                    task.rejected = true;
                }
            }
        }

        void check(List<Runnable> returned, boolean now) throws InterruptedException {
            if (!spindle.awaitTermination(10, TimeUnit.SECONDS)) {
                throw new AssertionError("round " + number + " does not terminate: " + spindle + " " + spindle.stats());
            }
            Set<Runnable> givenBack = Collections.newSetFromMap(new IdentityHashMap<>());
            for (Runnable task : returned) {
                assertThat(givenBack.add(task)).as("given back once").isTrue();
            }
            assertThat(now || returned.isEmpty()).isTrue();
            int expected = 0;
            for (Counted[] own : tasks) {
                for (Counted task : own) {
                    boolean superseded = TestSupport.isSuperseded(task.handle);
                    int outcomes = task.runs.get()
                            + (givenBack.contains(task) ? 1 : 0)
                            + (task.rejected ? 1 : 0)
                            + (superseded ? 1 : 0);
                    if (outcomes != 1) {
                        throw new AssertionError(
                                "round " + number + ", kind " + task.kind + ": ran " + task.runs + ", given back "
                                        + givenBack.contains(task) + ", rejected " + task.rejected + ", superseded "
                                        + superseded);
                    }
                    expected += givenBack.contains(task) ? 1 : 0;
                }
            }
            assertThat(givenBack).hasSize(expected);
        }
    }

    private final CyclicBarrier barrier = new CyclicBarrier(PRODUCERS + 1);
    private final List<Thread> producers = new ArrayList<>();
    private volatile @Nullable Round current;
    private volatile boolean stop;
    private volatile @Nullable Throwable failure;

    @BeforeEach
    void startProducers() {
        for (int p = 0; p < PRODUCERS; p++) {
            int producer = p;
            Thread thread = new Thread(() -> {
                try {
                    for (meet(); !stop; meet()) {
                        Round round = current;
                        if (round != null) {
                            round.submit(producer);
                        }
                        meet();
                    }
                } catch (Throwable t) {
                    failure = t;
                    barrier.reset();
                }
            });
            producers.add(thread);
            thread.start();
        }
    }

    @AfterEach
    void stopProducers() throws Exception {
        stop = true;
        if (failure == null) {
            meet();
        }
        for (Thread producer : producers) {
            producer.join();
        }
    }

    private void meet() throws InterruptedException, BrokenBarrierException, TimeoutException {
        barrier.await(30, TimeUnit.SECONDS);
    }

    @ParameterizedTest(name = "warm {0}, shutdownNow {1}")
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void f3_submitsRacingWithShutdown_eachTaskHasExactlyOneOutcome(boolean warm, boolean now) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            Round round = new Round(i);
            if (warm) {
                TestSupport.result(round.spindle.submit(() -> {}));
            }
            current = round;
            meet();
            for (int spins = i % 200; spins > 0; spins--) {
                Thread.onSpinWait();
            }
            List<Runnable> returned = List.of();
            if (now) {
                returned = round.spindle.shutdownNow();
            } else {
                round.spindle.shutdown();
            }
            meet();
            round.check(returned, now);
        }
        assertThat(failure).isNull();
    }

    @ParameterizedTest(name = "shutdownNow {0}")
    @CsvSource({"false", "true"})
    void d1_strandSubmitsRacingWithItsShutdown_eachTaskHasExactlyOneOutcome(boolean now) throws Exception {
        try (Spindle spindle = Spindle.builder()
                .coreThreads(2)
                .keyKeepAlive(Duration.ofNanos(1))
                .build()) {
            for (int i = 0; i < 1_000; i++) {
                Strand strand = spindle.strand("short-lived");
                List<Counted> tasks = new ArrayList<>();
                Thread producer = i % 10 == 0 ? new Thread(() -> submitAll(strand, tasks)) : null;
                List<Runnable> returned = new ArrayList<>();
                if (producer != null) {
                    producer.start();
                } else {
                    submitAll(strand, tasks);
                }
                if (now) {
                    returned.addAll(strand.shutdownNow());
                } else {
                    strand.shutdown();
                }
                if (producer != null) {
                    producer.join();
                }
                assertThat(strand.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
                for (Counted task : tasks) {
                    int outcomes = task.runs.get() + (returned.contains(task) ? 1 : 0) + (task.rejected ? 1 : 0);
                    assertThat(outcomes).isEqualTo(1);
                }
            }
        }
    }

    private static void submitAll(Strand strand, List<Counted> tasks) {
        for (int i = 0; i < 8; i++) {
            Counted task = new Counted();
            tasks.add(task);
            try {
                if (i % 4 == 3) {
                    strand.schedule(task, 0, TimeUnit.NANOSECONDS).isDone();
                } else {
                    strand.execute(task);
                }
            } catch (RejectedExecutionException e) {
                task.rejected = true;
            }
        }
    }
}
