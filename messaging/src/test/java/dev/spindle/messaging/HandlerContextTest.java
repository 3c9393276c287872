// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.TestSupport.until;
import static dev.spindle.messaging.TestContext.in;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.channel.Channel;
import dev.spindle.channel.Select;
import dev.spindle.pipeline.ErrorPolicy;
import dev.spindle.pipeline.Pipeline;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers run in the context of the thread that set them, whatever the previous call has left (A4, M2). */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HandlerContextTest {

    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    private final CountDownLatch go = new CountDownLatch(1);
    private final Spindle spindle = Spindle.builder()
            .coreThreads(1)
            .maxThreads(1)
            .taskDecorator(new TestContext())
            .build();

    /** Records the context, and leaves another one. */
    private void note(String what) {
        seen.add(what + " in " + TestContext.current());
        TestContext.set("left by " + what);
    }

    private List<String> seen(int count) {
        until(() -> seen.size() >= count);
        return List.copyOf(seen);
    }

    @AfterEach
    void close() throws InterruptedException {
        go.countDown();
        spindle.shutdownNow();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a4_handlersOfStages_runInTheContextInWhichTheyWereDeclared() {
        Pipeline<int[]> pipeline = in(
                "builder",
                () -> Pipeline.builder(spindle, "pipeline", () -> new int[1])
                        .capacity(4)
                        .stage("first", event -> {
                            note("first");
                            if (event[0]++ == 0) {
                                throw new IllegalStateException("again");
                            }
                        })
                        .errorPolicy(ErrorPolicy.retry(1))
                        .parallelStage("parallel", 2, event -> note("parallel"))
                        .clear(event -> note("clear"))
                        .build());
        assertThat(pipeline.offer(event -> event[0] = 0)).isTrue();
        assertThat(seen(4))
                .containsExactly("first in builder", "first in builder", "parallel in builder", "clear in builder");
    }

    @Test
    void a4_fillerThatWaitsAndDropHandler_runInTheContextsInWhichTheyWereHandedOver() {
        CountDownLatch begun = new CountDownLatch(1);
        Pipeline<int[]> pipeline = in(
                "builder",
                () -> Pipeline.builder(spindle, "pipeline", () -> new int[1])
                        .capacity(1)
                        .stage("first", event -> {
                            begun.countDown();
                            await(go);
                        })
                        .onDrop((event, stages) -> note("drop"))
                        .build());
        assertThat(pipeline.offer(event -> {})).isTrue();
        CompletionStage<?> published = in("publisher", () -> pipeline.publishAsync(event -> note("filler")));
        await(begun);
        go.countDown();
        resultOf(published);
        assertThat(seen(1)).containsExactly("filler in publisher");

        CountDownLatch last = new CountDownLatch(1);
        CountDownLatch busy = new CountDownLatch(1);
        spindle.execute(() -> {
            busy.countDown();
            await(last);
        });
        await(busy);
        until(() -> pipeline.offer(event -> {}));
        CompletionStage<?> halted = pipeline.halt();
        last.countDown();
        resultOf(halted);
        assertThat(seen(2)).containsExactly("filler in publisher", "drop in builder");
    }

    @Test
    void a4_handlersOfChannels_runInTheContextInWhichTheyWereHandedOver() {
        Channel<String> channel = Channel.buffered("channel", 4);
        CompletableFuture<?> consumer = in("consumer", () -> channel.forEach(spindle.strand("consumer"), this::note));
        assertThat(channel.offer("a")).isTrue();
        assertThat(channel.offer("b")).isTrue();
        assertThat(seen(2)).containsExactly("a in consumer", "b in consumer");
        assertThat(consumer).isNotDone();
        Channel<String> batches = Channel.buffered("batches", 4);
        CompletableFuture<?> unused = in(
                "batches", () -> batches.forEach(spindle.strand("batches"), 4, values -> values.forEach(this::note)));
        assertThat(batches.offer("c")).isTrue();
        assertThat(seen(3)).endsWith("c in batches");
    }

    @Test
    void a4_functionOfASelectThatWaits_runsInTheContextOfTheSelect() {
        Channel<String> channel = Channel.rendezvous("channel");
        CompletableFuture<String> selected = in(
                "select",
                () -> Select.<String>fair()
                        .receive(channel, value -> value + " in " + TestContext.current())
                        .awaitAsync(spindle));
        resultOf(spindle.submit(() -> {
            TestContext.set("task");
            assertThat(channel.offer("value")).isTrue();
        }));
        assertThat(resultOf(selected)).isEqualTo("value in select");
    }
}
