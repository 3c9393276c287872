// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.actor.ActorRef;
import dev.spindle.actor.Actors;
import dev.spindle.actor.Supervision;
import dev.spindle.channel.Channel;
import dev.spindle.pipeline.Pipeline;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@link Spindle#waits} across actors, pipelines, channels, keys and strands. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the tests see the ends by other means
class WaitsOfAllModelsTest {
    private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    private final Spindle spindle = Spindle.builder()
            .coreThreads(2)
            .maxThreads(8)
            .onFailure((activity, thrown) -> failures.add(thrown))
            .build();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    @AfterEach
    void end() {
        opened.countDown();
        spindle.close();
        assertThat(failures).isEmpty();
    }

    private void gate() {
        entered.countDown();
        await(opened);
    }

    /** Returns the waits as soon as there are {@code n}. */
    private List<String> waits(int n) {
        until(() -> spindle.waits().size() == n);
        return spindle.waits().stream()
                .map(wait -> wait.from().owner() + " -> " + wait.to().owner() + " " + wait.kind()
                        + (wait.isCyclic() ? " in a cycle" : ""))
                .toList();
    }

    private interface Interruptible {
        void run() throws InterruptedException;
    }

    private static Thread start(String name, Interruptible body) {
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.start();
        return thread;
    }

    @Test
    void m4_forAFullMailbox_nameActorsThreadsAndStages() {
        Actors actors = Actors.create(spindle);
        ActorRef<String> slow = actors.<String>actorBuilder("slow", () -> (message, self) -> gate())
                .capacity(1)
                .build();
        slow.offer("in its turn");
        await(entered);
        slow.offer("waits");
        ActorRef<String> teller = actors.actor("teller", () -> (message, self) -> self.tell(slow, message));
        teller.offer("a");
        Thread feed = start("feed", () -> slow.send("b"));
        spindle.strand("journal").execute(() -> {
            CompletionStage<@Nullable Void> unused = slow.sendAsync("c");
        });

        assertThat(waits(3))
                .containsExactlyInAnyOrder(
                        "actor teller -> actor slow ROOM",
                        "thread feed -> actor slow ROOM",
                        "sendAsync in a task of strand journal -> actor slow ROOM");
        opened.countDown();
        until(() -> !feed.isAlive());
        actors.close();
        assertThat(spindle.waits()).isEmpty();
    }

    @Test
    void m4_forAFullRing_nameThePipelineAndItsSlowestStage() throws Exception {
        Pipeline<int[]> orders = Pipeline.builder(spindle, "orders", () -> new int[1])
                .capacity(1)
                .stage("journal", event -> {})
                .stage("apply", event -> gate())
                .build();
        orders.publish(event -> event[0] = 1);
        await(entered);
        Thread feed = start("feed", () -> orders.publish(event -> event[0] = 2));
        assertThat(waits(1)).containsExactly("thread feed -> stage apply of pipeline orders ROOM");
        CompletionStage<@Nullable Void> later = orders.publishAsync(event -> event[0] = 3);

        assertThat(waits(2))
                .containsExactly(
                        "thread feed -> stage apply of pipeline orders ROOM",
                        "publishAsync -> stage apply of pipeline orders ROOM");
        opened.countDown();
        resultOf(later);
        orders.close();
        assertThat(spindle.waits()).isEmpty();
        assertThat(feed.isInterrupted()).isFalse();
    }

    @Test
    void m4_forAFullConflatingChannel_nameItsStrand() {
        Channel<String> prices = Channel.conflating("prices", 1, stock -> stock);
        CompletableFuture<?> shown = prices.forEach(spindle.strand("screen"), stock -> gate());
        prices.offer("ACME");
        await(entered);
        prices.offer("EMCA");
        Thread feed = start("feed", () -> prices.send("MACE"));

        assertThat(waits(2))
                .containsExactlyInAnyOrder(
                        "thread feed -> channel prices (conflating, 1 keys) ROOM",
                        "channel prices (conflating, 1 keys) -> strand screen ROOM");
        opened.countDown();
        until(() -> !feed.isAlive());
        prices.close();
        resultOf(shown);
        assertThat(spindle.waits()).isEmpty();
    }

    @Test
    void m4_actorAndKeyForEachOther_areShownAsACycle() {
        Actors actors = Actors.create(spindle);
        Keyed<Integer> keys = spindle.keyed("orders");
        ActorRef<String> clerk = actors.<String>actorBuilder("clerk", () -> (message, self) -> {
                    gate();
                    keys.submitAsync(4711, () -> self.ref().sendAsync("booked")).join();
                })
                .capacity(1)
                .supervision(Supervision.stop())
                .build();
        clerk.offer("order");
        await(entered);
        clerk.offer("next order"); // the mailbox is full
        opened.countDown();

        assertThat(waits(3))
                .containsExactlyInAnyOrder(
                        "actor clerk -> key orders/4711 RESULT in a cycle",
                        "key orders/4711 -> actor clerk ROOM in a cycle",
                        "key orders/4711 -> the stage of its async task STAGE");
        clerk.halt(); // refuses the message
        @Nullable Throwable end = resultOf(clerk.terminated().<@Nullable Throwable>handle((ended, failure) -> failure));
        assertThat(end)
                .as("of the order that was booked when the actor was halted")
                .isNotNull();
        assertThat(failures.remove()).hasMessageContaining("clerk is stopped");
        failures.clear(); // the order that was dropped
    }

    @Test
    void m4_stageOfAPipelineAndAStrandForEachOther_areShownAsACycle() throws Exception {
        Strand audit = spindle.strand("audit");
        List<Pipeline<int[]>> one = new CopyOnWriteArrayList<>();
        Pipeline<int[]> orders = Pipeline.builder(spindle, "orders", () -> new int[1])
                .capacity(1)
                .stage("apply", event -> {
                    gate();
                    audit.submitAsync(() -> one.get(0).publishAsync(next -> next[0] = 2))
                            .join();
                })
                .build();
        one.add(orders);
        orders.publish(event -> event[0] = 1);
        opened.countDown();

        assertThat(waits(3))
                .containsExactlyInAnyOrder(
                        "stage apply of pipeline orders -> strand audit RESULT in a cycle",
                        "strand audit -> stage apply of pipeline orders ROOM in a cycle",
                        "strand audit -> the stage of its async task STAGE");
        resultOf(orders.halt());
        until(() -> !failures.isEmpty());
        failures.clear(); // thrown in the handler, whose wait the halt has ended
    }
}
