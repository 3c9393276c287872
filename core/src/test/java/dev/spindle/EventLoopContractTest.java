// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.TestSupport.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** K3: answers that {@code Async} stages hand to an event loop arrive in order. */
@Timeout(120)
@SuppressWarnings("FutureReturnValueIgnored") // the answers are counted
class EventLoopContractTest {
    private static final int ANSWERS = 40_000;

    @RegisterExtension
    final Spindles spindles = new Spindles();

    /** An event loop that, like those of Vert.x, runs what its own thread completes at once, and else in its turn. */
    private static final class Loop implements AutoCloseable {
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private final AtomicReference<Thread> own = new AtomicReference<>();

        Loop() {
            CountDownLatch begun = new CountDownLatch(1);
            thread.execute(() -> {
                own.set(Thread.currentThread());
                begun.countDown();
            });
            await(begun);
        }

        void run(Runnable task) {
            thread.execute(task);
        }

        void emit(Runnable answer) {
            if (Thread.currentThread() == own.get()) {
                answer.run();
            } else {
                run(answer);
            }
        }

        @Override
        public void close() {
            thread.shutdown();
        }
    }

    private static long overtakings(List<Integer> answers) {
        long count = 0;
        for (int i = 1; i < answers.size(); i++) {
            count += answers.get(i) < answers.get(i - 1) ? 1 : 0;
        }
        return count;
    }

    @Test
    void k3_answersThroughAsyncStages_reachTheLoopInOrder() {
        Keyed<String> accounts = spindles.spindle().keyed("accounts");
        List<Integer> answers = new ArrayList<>(); // of the loop's thread
        CountDownLatch all = new CountDownLatch(ANSWERS);
        try (Loop loop = new Loop()) {
            for (int i = 0; i < ANSWERS; i++) {
                int number = i;
                loop.run(() -> accounts.submit("alice", () -> number)
                        .thenAcceptAsync(answer -> loop.emit(() -> {
                            answers.add(answer);
                            all.countDown();
                        })));
            }
            await(all);
        }
        assertThat(overtakings(answers)).isZero();
        assertThat(answers).hasSize(ANSWERS);
    }

    /**
     * The control: the second future is done before its dependent is attached, so the loop answers it at once, before
     * the first answer, which waits in the queue of the loop.
     */
    @Test
    void trap_answersThroughDependentsOfTheCompletingThread_overtake() {
        Keyed<String> accounts = spindles.spindle().keyed("accounts");
        List<Integer> answers = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(2);
        try (Loop loop = new Loop()) {
            loop.run(() -> {
                Gate gate = new Gate();
                CompletableFuture<?> first = accounts.submit("alice", gate);
                CompletableFuture<?> second = accounts.submit("alice", () -> {});
                first.whenComplete((value, failure) -> loop.emit(() -> {
                    answers.add(1);
                    all.countDown();
                }));
                gate.open();
                until(second::isDone);
                second.whenComplete((value, failure) -> loop.emit(() -> {
                    answers.add(2);
                    all.countDown();
                }));
            });
            await(all);
        }
        assertThat(answers).containsExactly(2, 1);
    }
}
