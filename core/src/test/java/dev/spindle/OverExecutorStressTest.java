// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** K2, K3, F3 of lanes on an executor that, at random, takes a task, refuses it, or runs it in the calling thread. */
@Tag("stress")
@Timeout(240)
class OverExecutorStressTest {
    private static final int KEYS = 3;
    private static final int THREADS = 3;
    private static final int TASKS = 20_000;

    enum Mood {
        TAKES,
        TAKES_OR_RUNS,
        TAKES_OR_REFUSES,
        ALL
    }

    /** The last number of each thread that a key has seen. Plain: K2. */
    private static final class Key {
        private final int[] last = new int[THREADS];
        private boolean running;
        private int ran;

        void run(int thread, int number) {
            if (running || last[thread] > number) {
                throw new AssertionError("overlap or disorder: " + thread + " " + number + " after " + last[thread]);
            }
            running = true;
            last[thread] = number;
            ran++;
            running = false;
        }
    }

    @ParameterizedTest
    @EnumSource(Mood.class)
    void k3_f3_anyMoodOfTheExecutor_keepsOrder_andLosesNothing(Mood mood) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        Executor moody = task -> {
            int chance = ThreadLocalRandom.current().nextInt(8);
            if (chance == 0 && (mood == Mood.TAKES_OR_RUNS || mood == Mood.ALL)) {
                task.run();
            } else if (chance == 1 && (mood == Mood.TAKES_OR_REFUSES || mood == Mood.ALL)) {
                throw new RejectedExecutionException("moody");
            } else {
                threads.execute(task);
            }
        };
        Keyed<Integer> keys = Keyed.over("keys", moody);
        List<Key> state = new ArrayList<>();
        for (int k = 0; k < KEYS; k++) {
            state.add(new Key());
        }
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        AtomicInteger cancelled = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        List<Thread> submitters = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int thread = t;
            submitters.add(new Thread(() -> {
                for (int i = 1; i <= TASKS; i++) {
                    int number = i;
                    int key = i % KEYS;
                    try {
                        CompletableFuture<?> run =
                                keys.submit(key, () -> state.get(key).run(thread, number));
                        CompletableFuture<?> unused = run.whenComplete((v, failure) -> {
                            boolean isCancelled = failure instanceof CancellationException;
                            (failure == null ? ran : isCancelled ? cancelled : failed).incrementAndGet();
                        });
                    } catch (RejectedExecutionException e) {
                        refused.incrementAndGet();
                    }
                }
            }));
        }
        submitters.forEach(Thread::start);
        for (Thread submitter : submitters) {
            submitter.join();
        }
        until(() -> ran.get() + cancelled.get() + failed.get() + refused.get() == THREADS * TASKS);
        assertThat(failed).hasValue(0);
        assertThat(state.stream().mapToInt(key -> key.ran).sum()).isEqualTo(ran.get());
        if (mood == Mood.TAKES || mood == Mood.TAKES_OR_RUNS) {
            assertThat(ran).hasValue(THREADS * TASKS);
        }
        threads.shutdown();
    }
}
