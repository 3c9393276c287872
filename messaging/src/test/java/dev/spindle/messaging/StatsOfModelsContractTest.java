// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.TestSupport.until;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Activity;
import dev.spindle.Spindle;
import dev.spindle.Stats;
import dev.spindle.Unfinished;
import dev.spindle.actor.ActorRef;
import dev.spindle.actor.Actors;
import dev.spindle.actor.Supervision;
import dev.spindle.channel.Channel;
import dev.spindle.pipeline.ErrorPolicy;
import dev.spindle.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The counts and activities of actors, channels and pipelines. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("FutureReturnValueIgnored") // the tests see the ends by other means
class StatsOfModelsContractTest {
    private final List<Activity> failures = Collections.synchronizedList(new ArrayList<>());
    private final Spindle spindle = Spindle.builder()
            .name("models")
            .coreThreads(2)
            .maxThreads(2)
            .onFailure((activity, failure) -> failures.add(activity))
            .build();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    @AfterEach
    void end() {
        opened.countDown();
        spindle.shutdownNow();
    }

    private void gate(String message) {
        if (message.equals("gate")) {
            entered.countDown();
            await(opened);
        } else if (message.equals("bad")) {
            throw new IllegalStateException("bad");
        }
    }

    /** Asserts the counts that are not 0 in every test: accepted, completed, failed, pending and running. */
    private static void assertCounts(
            Stats stats, long accepted, long completed, long failed, long pending, int running) {
        assertThat(List.of(
                        stats.accepted(), stats.completed(), stats.failed(), stats.pending(), (long) stats.running()))
                .as("accepted, completed, failed, pending and running of %s", stats)
                .containsExactly(accepted, completed, failed, pending, (long) running);
        assertThat(stats.rejected()).isZero();
    }

    // ---------------------------------------------------------------- actors

    @Test
    void m1_statsOfAnActor_countEachMessageOnce() {
        Actors actors = Actors.builder(spindle).onDrop((ref, message) -> {}).build();
        ActorRef<String> ref = actors.<String>actorBuilder("counted", () -> (message, self) -> gate(message))
                .capacity(5)
                .conflate(message -> message.startsWith("k") ? "k" : null)
                .supervision(Supervision.resume())
                .build();
        ref.offer("gate");
        await(entered);
        List.of("k1", "k2", "bad", "k3", "a")
                .forEach(message -> assertThat(ref.offer(message)).isTrue());

        assertCounts(ref.stats(), 4, 0, 0, 3, 1);
        assertThat(ref.stats().name()).isEqualTo("counted");
        assertThat(ref.stats().capacity()).isEqualTo(5);
        assertThat(ref.stats().maxConcurrency()).isEqualTo(1);
        opened.countDown();
        until(() -> ref.stats().completed() == 4 && ref.stats().running() == 0);
        assertCounts(ref.stats(), 6, 4, 1, 0, 0);
        assertThat(ref.stats().superseded()).isEqualTo(2);
        assertThat(ref.stats().dropped()).isZero();
        actors.close();
    }

    @Test
    void m1_statsOfAGroup_keepThoseOfActorsThatHaveEnded() {
        Actors actors = Actors.builder(spindle).onDrop((ref, message) -> {}).build();
        ActorRef<String> one = actors.<String>actorBuilder("one", () -> (message, self) -> gate(message))
                .conflate(message -> message.startsWith("k") ? "k" : null)
                .build();
        ActorRef<String> two = actors.actor("two", () -> (message, self) -> gate(message));
        one.offer("gate");
        await(entered);
        one.offer("k1");
        one.offer("k2");
        one.offer("lost");
        one.halt();
        opened.countDown();
        resultOf(one.terminated());
        two.offer("a");
        until(() -> two.stats().completed() == 1);
        ActorRef<String> late = actors.actor("late", () -> (message, self) -> self.tell(one, message));
        late.offer("too late");
        until(() -> one.stats().dropped() == 3);

        assertCounts(one.stats(), 5, 1, 0, 0, 0);
        assertThat(one.stats().superseded()).isEqualTo(1);
        until(() -> actors.stats().running() == 0 && actors.stats().completed() == 3);
        assertCounts(actors.stats(), 7, 3, 0, 0, 0);
        assertThat(actors.stats().superseded()).isEqualTo(1);
        assertThat(actors.stats().dropped()).isEqualTo(3);
        assertThat(actors.stats().name()).isEqualTo("models");
        actors.close();
        assertThat(actors.stats().completed()).isEqualTo(3);
    }

    @Test
    void m3_busiestActors_areThoseThatWaitOrRunTheDeepestFirst() {
        Actors actors = Actors.create(spindle);
        ActorRef<String> slow = actors.<String>actorBuilder("slow", () -> (message, self) -> gate(message))
                .capacity(2)
                .build();
        ActorRef<String> teller = actors.actor("teller", () -> (message, self) -> self.tell(slow, message));
        ActorRef<String> idle = actors.actor("idle", () -> (message, self) -> {});
        slow.offer("gate");
        await(entered);
        assertThat(actors.busiest(9)).singleElement().satisfies(running -> {
            assertThat(running.owner()).isEqualTo("actor slow");
            assertThat(running.kind()).isEqualTo(Activity.Kind.HANDLER);
            assertThat(requireNonNull(running.thread()).getName()).startsWith("models");
            assertThat(running.pending()).isZero();
        });
        slow.offer("a");
        slow.offer("b");
        teller.offer("waits for room");
        until(() -> actors.busiest(9).size() == 2);
        until(() -> spindle.waits().size() == 1);

        assertThat(actors.busiest(9)).extracting(Activity::owner).containsExactly("actor slow", "actor teller");
        assertThat(actors.busiest(9)).extracting(Activity::pending).containsExactly(2, 0);
        assertThat(actors.busiest(1)).extracting(Activity::owner).containsExactly("actor slow");
        assertThat(actors.busiest(0)).isEmpty();
        assertThat(actors.busiest(9).get(0).waitsFor()).isNull();
        assertThat(requireNonNull(actors.busiest(9).get(1).waitsFor()).to().owner())
                .isEqualTo("actor slow");
        assertThatThrownBy(() -> actors.busiest(-1)).hasMessage("n must not be negative, is -1");
        opened.countDown();
        until(() -> actors.busiest(9).isEmpty());
        assertThat(idle.stats().accepted()).isZero();
    }

    // ---------------------------------------------------------------- channels

    @Test
    void m1_statsOfAChannel_countValuesThatWaitAndThoseReceived() throws Exception {
        Channel<Integer> channel = Channel.buffered("values", 3);
        List.of(1, 2, 3).forEach(value -> assertThat(channel.offer(value)).isTrue());
        CompletableFuture<@Nullable Void> waits = channel.sendAsync(4);

        assertCounts(channel.stats(), 3, 0, 0, 3, 0);
        assertThat(channel.stats().name()).isEqualTo("values");
        assertThat(channel.stats().capacity()).isEqualTo(3);
        assertThat(channel.poll()).isEqualTo(1);
        assertThat(waits).isCompleted();
        assertCounts(channel.stats(), 4, 1, 0, 3, 0);
        assertThat(channel.drainTo(new ArrayList<>(), 2)).isEqualTo(2);
        CompletableFuture<Integer> last = channel.receiveAsync();
        CompletableFuture<Integer> handed = channel.receiveAsync();
        assertThat(last).isCompletedWithValue(4);
        assertThat(channel.offer(5)).isTrue();
        assertThat(handed).isCompletedWithValue(5);
        assertCounts(channel.stats(), 5, 5, 0, 0, 0);
        assertThat(channel.offer(6)).isTrue();
        assertThat(resultOf(channel.halt()).items()).containsExactly(6);
        assertCounts(channel.stats(), 6, 5, 0, 0, 0);
        assertThat(channel.stats().dropped()).isEqualTo(1);
    }

    @Test
    void m1_statsOfOtherChannels_countAHandOverAndAValueOfEachKey() {
        Channel<Integer> rendezvous = Channel.rendezvous("hands");
        CompletableFuture<@Nullable Void> sent = rendezvous.sendAsync(1);
        assertCounts(rendezvous.stats(), 0, 0, 0, 0, 0);
        assertThat(rendezvous.poll()).isEqualTo(1);
        assertThat(sent).isCompleted();
        assertCounts(rendezvous.stats(), 1, 1, 0, 0, 0);
        assertThat(rendezvous.stats().capacity()).isZero();

        Channel<String> latest = Channel.conflating("latest", 8, value -> value.charAt(0));
        List.of("a1", "a2", "b1")
                .forEach(value -> assertThat(latest.offer(value)).isTrue());
        assertCounts(latest.stats(), 2, 0, 0, 2, 0);
        assertThat(latest.stats().capacity()).isEqualTo(8);
        assertThat(latest.poll()).isEqualTo("a2");
        assertCounts(latest.stats(), 2, 1, 0, 1, 0);
    }

    @Test
    void f1_failureOfAConsumer_namesTheKeyWithItsSpaceOrTheStrand() {
        Channel<String> channel = Channel.buffered("values", 3);
        channel.forEach(spindle.<Integer>keyed("orders").at(42), this::gate);
        channel.offer("bad");
        until(() -> failures.size() == 1);
        Channel<String> second = Channel.buffered("others", 3);
        second.forEach(spindle.strand("journal"), this::gate);
        second.offer("bad");
        until(() -> failures.size() == 2);

        assertThat(failures).extracting(Activity::owner).containsExactly("key orders/42", "strand journal");
        assertThat(failures).extracting(Activity::space).containsExactly("orders", null);
        assertThat(failures).extracting(Activity::key).containsExactly(42, "journal");
        assertThat(failures).allSatisfy(activity -> {
            assertThat(activity.kind()).isEqualTo(Activity.Kind.LANE);
            assertThat(activity.thread()).isNotNull();
        });
    }

    // ---------------------------------------------------------------- pipelines

    private Pipeline<String[]> pipeline() {
        return Pipeline.builder(spindle, "orders", () -> new String[1])
                .capacity(4)
                .stage("check", event -> gate(event[0]))
                .errorPolicy(ErrorPolicy.skip())
                .parallelStage("apply", 2, event -> {})
                .build();
    }

    private static void set(String[] event, String value) {
        event[0] = value;
    }

    @Test
    void m1_statsOfAPipeline_followTheEventsThroughTheRing() throws Exception {
        Pipeline<String[]> orders = pipeline();
        orders.publish(StatsOfModelsContractTest::set, "a");
        orders.publish(StatsOfModelsContractTest::set, "bad");
        until(() -> orders.stats().completed() == 2 && orders.stats().running() == 0);
        assertCounts(orders.stats(), 2, 2, 1, 0, 0);
        assertThat(orders.stats().name()).isEqualTo("orders");
        assertThat(orders.stats().capacity()).isEqualTo(4);
        assertThat(orders.stats().maxConcurrency()).isEqualTo(3);
        orders.publish(StatsOfModelsContractTest::set, "gate");
        await(entered);
        orders.publish(StatsOfModelsContractTest::set, "b");

        until(() -> orders.stats().running() == 1); // the last strand of the second stage comes to rest
        assertCounts(orders.stats(), 4, 2, 1, 2, 1);
        assertCounts(orders.stats("check"), 4, 2, 1, 2, 1);
        assertCounts(orders.stats("apply"), 2, 2, 0, 0, 0);
        assertThat(orders.stats("apply").name()).isEqualTo("apply");
        assertThat(orders.stats("apply").maxConcurrency()).isEqualTo(2);
        assertThatThrownBy(() -> orders.stats("bill"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("pipeline orders has no stage bill; its stages are [check, apply]");
        opened.countDown();
        orders.close();
        assertCounts(orders.stats(), 4, 4, 1, 0, 0);
        assertCounts(orders.stats("check"), 4, 4, 1, 0, 0);
    }

    @Test
    void m1_statsOfAHaltedPipeline_countWhatWasLeftAsDropped() throws Exception {
        Pipeline<String[]> orders = pipeline();
        orders.publish(StatsOfModelsContractTest::set, "gate");
        await(entered);
        orders.publish(StatsOfModelsContractTest::set, "a");
        orders.publish(StatsOfModelsContractTest::set, "b");
        CompletableFuture<Unfinished<String[]>> left = orders.halt();
        opened.countDown();

        assertThat(resultOf(left).items())
                .hasSize((int) orders.stats().dropped())
                .isNotEmpty();
        assertThat(orders.stats().accepted()).isEqualTo(3);
        assertThat(orders.stats().pending()).isZero();
        assertThat(orders.stats().running()).isZero();
    }

    @Test
    void f1_failureOfAnActorOrAStage_namesTheParty() throws Exception {
        Actors actors = Actors.create(spindle);
        ActorRef<String> ref = actors.actor("counter", () -> (message, self) -> gate(message));
        ref.offer("bad");
        until(() -> failures.size() == 1);
        pipeline().publish(StatsOfModelsContractTest::set, "bad");
        until(() -> failures.size() == 2);

        assertThat(failures)
                .extracting(Activity::owner)
                .containsExactly("actor counter", "stage check of pipeline orders");
        assertThat(failures).allSatisfy(activity -> {
            assertThat(activity.kind()).isEqualTo(Activity.Kind.HANDLER);
            assertThat(activity.key()).isNull();
            assertThat(activity.thread()).isNotNull();
        });
        assertThat(failures.get(0).task()).isEqualTo("bad");
    }
}
