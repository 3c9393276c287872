// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Executors with random limits, bounds and policies on one spindle, whose producers race with shutdowns: each task has
 * exactly one outcome, and no executor exceeds its limit.
 */
@Tag("stress")
@Timeout(60)
class LogicalExecutorStressTest {
    private static final int PRODUCERS = 3;
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** A task that counts its outcomes and the running tasks of its executor. */
    private static final class Counted implements Runnable {
        private final Subject subject;
        private final int work;
        private final AtomicInteger outcomes = new AtomicInteger();

        Counted(Subject subject, int work) {
            this.subject = subject;
            this.work = work;
        }

        @Override
        public void run() {
            outcomes.incrementAndGet();
            boolean worker = Thread.currentThread().getName().startsWith("stressed");
            int now = worker ? subject.running.incrementAndGet() : 0;
            if (now > subject.limit) {
                subject.most.accumulateAndGet(now, Math::max);
            }
            for (int i = 0; i < work; i++) {
                Thread.onSpinWait();
            }
            if (worker) {
                subject.running.decrementAndGet();
            }
        }
    }

    /** An executor with its limits. */
    private static final class Subject {
        final LogicalExecutor executor;
        final int limit;
        final AtomicInteger running = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();

        Subject(Spindle spindle, Random random) {
            limit = 1 + random.nextInt(5);
            LogicalExecutorBuilder builder = spindle.executorBuilder("subject").maxConcurrency(limit);
            if (random.nextBoolean()) {
                builder.capacity(
                        1 + random.nextInt(20),
                        switch (random.nextInt(4)) {
                            case 0 -> OnFull.reject();
                            case 1 -> OnFull.block(Duration.ofMillis(1 + random.nextInt(20)));
                            case 2 -> OnFull.callerRuns();
                            default -> OnFull.dropOldest();
                        });
            }
            executor = builder.build();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void f3_randomExecutorsAndShutdowns_eachTaskHasExactlyOneOutcome(long seed) throws InterruptedException {
        Random random = new Random(seed);
        AtomicInteger number = new AtomicInteger();
        Spindle spindle = Spindle.builder()
                .coreThreads(1 + random.nextInt(3))
                .maxThreads(6)
                .threadFactory(r -> new Thread(r, "stressed-" + number.incrementAndGet()))
                .onFailure((activity, failure) -> {
                    if (failure instanceof RejectedExecutionException) {
                        ((Counted) requireNonNull(activity.task())).outcomes.incrementAndGet(); // was dropped
                    }
                })
                .build();
        long end = System.nanoTime() + ROUND_NANOS;
        int submitted = 0;
        while (System.nanoTime() - end < 0) {
            submitted += round(spindle, random);
        }
        spindle.shutdown();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(submitted).isPositive();
        assertThat(spindle.stats().failed()).isZero();
    }

    private static int round(Spindle spindle, Random random) throws InterruptedException {
        List<Subject> subjects = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            subjects.add(new Subject(spindle, random));
        }
        List<List<Counted>> tasks = new ArrayList<>();
        List<Thread> producers = new ArrayList<>();
        for (int p = 0; p < PRODUCERS; p++) {
            List<Counted> own = new ArrayList<>();
            tasks.add(own);
            long seed = random.nextLong();
            producers.add(new Thread(() -> produce(subjects, own, new Random(seed))));
        }
        producers.forEach(Thread::start);
        for (int spins = random.nextInt(20_000); spins > 0; spins--) {
            Thread.onSpinWait();
        }
        Set<Runnable> returned = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Subject subject : subjects) {
            if (random.nextBoolean()) {
                subject.executor.shutdown();
            } else {
                for (Runnable task : subject.executor.shutdownNow()) {
                    assertThat(returned.add(task)).as("returned once").isTrue();
                    ((Counted) task).outcomes.incrementAndGet();
                }
            }
        }
        for (Thread producer : producers) {
            producer.join();
        }
        for (Subject subject : subjects) {
            assertThat(subject.executor.awaitTermination(20, TimeUnit.SECONDS))
                    .as("terminates: %s", subject.executor.stats())
                    .isTrue();
            assertThat(subject.most)
                    .as("tasks at once, at most %s", subject.limit)
                    .hasValue(0);
            assertThat(subject.running).hasValue(0);
        }
        int count = 0;
        for (List<Counted> own : tasks) {
            for (Counted task : own) {
                assertThat(task.outcomes)
                        .as("outcomes of a task of %s", task.subject.executor.stats())
                        .hasValue(1);
            }
            count += own.size();
        }
        return count;
    }

    private static void produce(List<Subject> subjects, List<Counted> own, Random random) {
        for (int i = 0; i < 200; i++) {
            Subject subject = subjects.get(random.nextInt(subjects.size()));
            Counted task = new Counted(subject, random.nextInt(4) == 0 ? random.nextInt(500) : 0);
            own.add(task);
            try {
                if (random.nextInt(10) == 0) {
                    subject.executor
                            .schedule(task, random.nextInt(300), TimeUnit.MICROSECONDS)
                            .isDone();
                } else {
                    subject.executor.execute(task);
                }
            } catch (RejectedExecutionException e) {
                task.outcomes.incrementAndGet();
            }
        }
    }
}
