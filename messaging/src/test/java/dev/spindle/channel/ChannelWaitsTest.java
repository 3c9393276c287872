// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.WaitEdge;
import dev.spindle.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@link Spindle#waits} for channels. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes are checked by other means
class ChannelWaitsTest {
    private final Spindle spindle = Spindle.create();
    private final Strand journal = spindle.strand("journal");
    private final Channel<String> one = Channel.rendezvous("one");
    private final Channel<String> two = Channel.buffered("two", 1);
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch opened = new CountDownLatch(1);

    @AfterEach
    void end() throws InterruptedException {
        opened.countDown();
        one.halt();
        two.halt();
        for (Thread thread : threads) {
            thread.join();
        }
        until(() -> spindle.waits().isEmpty());
        spindle.close();
    }

    private interface Body {
        void run() throws InterruptedException;
    }

    private void start(String name, Body body) {
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (InterruptedException | ChannelClosedException e) {
                        // the test has ended
                    }
                },
                name);
        threads.add(thread);
        thread.start();
    }

    /** Returns the stage that {@code call} returns in a task of {@code strand}. */
    private static <T extends @Nullable Object> CompletableFuture<T> inATaskOf(
            Strand strand, Supplier<CompletableFuture<T>> call) {
        AtomicReference<CompletableFuture<T>> stage = new AtomicReference<>();
        result(strand.submit(() -> stage.set(call.get())));
        return stage.get();
    }

    private static List<String> texts(Spindle of) {
        return of.waits().stream()
                .map(wait -> wait.from().owner() + " -> " + wait.to().owner() + " " + wait.kind()
                        + (wait.isCyclic() ? " in a cycle" : ""))
                .toList();
    }

    /** Returns the waits as soon as there are {@code n}. */
    private List<String> waits(int n) {
        until(() -> spindle.waits().size() == n);
        return texts(spindle);
    }

    @Test
    void m4_sendersAtAChannel_areListedUntilTheyAreServed() throws Exception {
        CompletableFuture<@Nullable Void> send = inATaskOf(journal, () -> one.sendAsync("a"));
        start("feed", () -> one.send("b"));

        assertThat(waits(2))
                .containsExactlyInAnyOrder(
                        "sendAsync in a task of strand journal -> " + one + " ROOM", "thread feed -> " + one + " ROOM");
        assertThat(one.receive()).isEqualTo("a");
        assertThat(send).isCompleted();
        assertThat(waits(1)).containsExactly("thread feed -> " + one + " ROOM");
        assertThat(one.receive()).isEqualTo("b");
        assertThat(spindle.waits()).isEmpty();
    }

    @Test
    void m4_receiversAtAChannel_areListedUntilTheyLeave() {
        CompletableFuture<String> receive = inATaskOf(journal, two::receiveAsync);
        start("sink", two::receive);

        assertThat(waits(2))
                .containsExactlyInAnyOrder(
                        "receiveAsync in a task of strand journal -> " + two + " VALUE",
                        "thread sink -> " + two + " VALUE");
        assertThat(receive.cancel(false)).isTrue();
        assertThat(waits(1)).containsExactly("thread sink -> " + two + " VALUE");
        threads.get(0).interrupt();
        assertThat(waits(0)).isEmpty();
    }

    @Test
    void m4_asyncTaskAtAChannel_isListedAsItsLane() {
        Future<String> task = spindle.keyed("orders").submitAsync(7, two::receiveAsync);

        assertThat(waits(2))
                .containsExactlyInAnyOrder(
                        "key orders/7 -> " + two + " VALUE", "key orders/7 -> the stage of its async task STAGE");
        assertThat(two.offer("a")).isTrue();
        assertThat(result(task)).isEqualTo("a");
    }

    @Test
    void m4_select_isListedAtEachOfItsChannels() throws Exception {
        assertThat(two.offer("fills it")).isTrue();
        Select<String> select =
                Select.<String>fair().receive(one, value -> value).send(two, "a", () -> "sent");
        CompletableFuture<String> stage = inATaskOf(journal, select::awaitAsync);
        start("chooser", select::await);

        assertThat(waits(4))
                .containsExactlyInAnyOrder(
                        "Select.awaitAsync in a task of strand journal -> " + one + " VALUE",
                        "Select.awaitAsync in a task of strand journal -> " + two + " ROOM",
                        "thread chooser -> " + one + " VALUE",
                        "thread chooser -> " + two + " ROOM");
        assertThat(two.receive()).isEqualTo("fills it");
        assertThat(result(stage)).isEqualTo("sent");
        assertThat(waits(2))
                .containsExactlyInAnyOrder("thread chooser -> " + one + " VALUE", "thread chooser -> " + two + " ROOM");
    }

    @Test
    void m4_channelWithABusyConsumer_waitsForItsStrandAndAnIdleConsumerForNobody() {
        CountDownLatch entered = new CountDownLatch(1);
        CompletableFuture<@Nullable Void> end = one.forEach(journal, value -> {
            entered.countDown();
            await(opened);
        });
        until(() -> one.core().waitingReceivers() == 1);
        assertThat(spindle.waits()).isEmpty();
        assertThat(one.offer("a")).isTrue();
        await(entered);
        start("feed", () -> one.send("b"));

        assertThat(waits(2))
                .containsExactlyInAnyOrder("thread feed -> " + one + " ROOM", one + " -> strand journal ROOM");
        assertThat(end.cancel(false)).isTrue();
        assertThat(waits(1)).containsExactly("thread feed -> " + one + " ROOM");
    }

    @Test
    void m4_channelAndTheStrandThatConsumesIt_areShownAsACycle() {
        assertThat(two.offer("a")).isTrue();
        CountDownLatch entered = new CountDownLatch(1);
        journal.execute(() -> {
            entered.countDown();
            await(opened);
        });
        await(entered);
        Future<@Nullable Void> send = journal.submitAsync(() -> two.sendAsync("b"));
        CompletableFuture<@Nullable Void> end = two.forEach(journal, value -> {}); // waits behind the send
        opened.countDown();

        assertThat(waits(3))
                .containsExactlyInAnyOrder(
                        "strand journal -> " + two + " ROOM in a cycle",
                        two + " -> strand journal ROOM in a cycle",
                        "strand journal -> the stage of its async task STAGE");
        assertThat(two.poll()).isEqualTo("a");
        result(send);
        two.close();
        result(end);
    }

    @Test
    void m4_channel_isListedByTheSpindlesWhoseTasksHaveWaitedThere() {
        start("feed", () -> one.send("a"));
        until(() -> one.core().waitingSenders() == 1);
        assertThat(spindle.waits()).isEmpty();

        try (Spindle other = Spindle.create()) {
            CompletableFuture<@Nullable Void> ours = inATaskOf(journal, () -> one.sendAsync("b"));
            CompletableFuture<@Nullable Void> theirs = inATaskOf(other.strand("theirs"), () -> one.sendAsync("c"));
            assertThat(waits(3))
                    .containsExactlyInAnyOrder(
                            "thread feed -> " + one + " ROOM",
                            "sendAsync in a task of strand journal -> " + one + " ROOM",
                            "sendAsync in a task of strand theirs -> " + one + " ROOM");
            assertThat(texts(other)).hasSameElementsAs(texts(spindle));
            assertThat(ours.cancel(false)).isTrue();
            assertThat(theirs.cancel(false)).isTrue();
        }
    }

    @Test
    void m4_waitAtAChannel_isAsOldAsTheClockOfItsSpindleSays() {
        Simulation.explore(1, simulation -> {
            Spindle simulated = simulation.spindle();
            CompletableFuture<@Nullable Void> task = new CompletableFuture<>();
            Channel<String> channel = Channel.rendezvous("channel");
            simulated.execute(() -> {
                CompletableFuture<@Nullable Void> unused =
                        channel.receiveAsync().thenRun(() -> task.complete(null));
            });
            simulation.run();
            simulation.advance(Duration.ofSeconds(5));

            assertThat(simulated.waits()).singleElement().satisfies(wait -> {
                assertThat(wait.from().owner()).isEqualTo("receiveAsync");
                assertThat(wait.to().owner()).isEqualTo(channel.toString());
                assertThat(wait.kind()).isEqualTo(WaitEdge.Kind.VALUE);
                assertThat(wait.age()).isEqualTo(Duration.ofSeconds(5));
                assertThat(wait.timeout()).isNull();
                assertThat(wait.isCyclic()).isFalse();
            });
            assertThat(channel.offer("a")).isTrue();
            assertThat(task).isCompleted();
        });
    }
}
