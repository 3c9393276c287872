// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** K3: answers that {@code Async} stages hand to an event loop of Netty or Vert.x arrive in order. */
@Timeout(120)
@SuppressWarnings("FutureReturnValueIgnored") // the answers are counted
class EventLoopOrderTest {
    private static final int ANSWERS = 40_000;

    /** Asks on the loop, answers by {@code reply}, and returns the number of answers that were overtaken. */
    private static long overtakings(
            Executor loop,
            BiConsumer<CompletableFuture<Integer>, Executor> reply,
            List<Integer> answers,
            CountDownLatch all)
            throws InterruptedException {
        try (Spindle spindle = Spindle.create()) {
            Keyed<String> accounts = spindle.keyed("accounts");
            for (int i = 0; i < ANSWERS; i++) {
                int request = i;
                loop.execute(() -> reply.accept(accounts.submit("alice", () -> request), loop));
            }
            all.await();
        }
        long count = 0;
        for (int i = 1; i < ANSWERS; i++) {
            count += answers.get(i) < answers.get(i - 1) ? 1 : 0;
        }
        return count;
    }

    private static long throughStages(Executor loop) throws InterruptedException {
        List<Integer> answers = new ArrayList<>(); // of the loop's thread
        CountDownLatch all = new CountDownLatch(ANSWERS);
        return overtakings(
                loop,
                (future, to) -> future.thenAcceptAsync(answer -> to.execute(() -> {
                    answers.add(answer);
                    all.countDown();
                })),
                answers,
                all);
    }

    @Test
    void k3_answersToNetty_keepTheirOrder() throws InterruptedException {
        EventLoop loop = new DefaultEventLoop();
        try {
            assertThat(throughStages(loop)).isZero();
        } finally {
            loop.shutdownGracefully();
        }
    }

    @Test
    void k3_answersToVertx_keepTheirOrder() throws InterruptedException {
        Vertx vertx = Vertx.vertx();
        try {
            Context context = vertx.getOrCreateContext();
            assertThat(throughStages(task -> context.runOnContext(none -> task.run())))
                    .isZero();
        } finally {
            vertx.close();
        }
    }

    /** The control. The loop answers at once for a future that is done, before the answers that wait in its queue. */
    @Test
    void trap_fromCompletionStage_letsAnAnswerOvertake() throws InterruptedException {
        Vertx vertx = Vertx.vertx();
        List<Integer> answers = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(2);
        try (Spindle spindle = Spindle.create()) {
            Context context = vertx.getOrCreateContext();
            Keyed<String> accounts = spindle.keyed("accounts");
            CountDownLatch gate = new CountDownLatch(1);
            context.runOnContext(none -> {
                CompletableFuture<Integer> first = accounts.submit("alice", () -> {
                    gate.await();
                    return 1;
                });
                CompletableFuture<Integer> second = accounts.submit("alice", () -> 2);
                for (CompletableFuture<Integer> future : List.of(first, second)) {
                    Future.fromCompletionStage(future, context).onSuccess(answer -> {
                        answers.add(answer);
                        all.countDown();
                    });
                    gate.countDown();
                    while (!second.isDone()) {
                        Thread.onSpinWait();
                    }
                }
            });
            all.await();
        } finally {
            vertx.close();
        }
        assertThat(answers).containsExactly(2, 1);
    }
}
