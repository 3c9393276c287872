// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import dev.spindle.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Selects of one of several sends and receives. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SelectTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Channel<String> first = Channel.rendezvous("first");
    private final Channel<String> second = Channel.buffered("second", 1);

    private Select<String> receiveBoth() {
        return Select.<String>fair()
                .receive(first, value -> "first " + value)
                .receive(second, value -> "second " + value);
    }

    private void assertNobodyWaits() {
        assertThat(first.core().waitingReceivers() + first.core().waitingSenders())
                .isZero();
        assertThat(second.core().waitingReceivers() + second.core().waitingSenders())
                .isZero();
    }

    // ---------------------------------------------------------------- exactly one clause

    @Test
    void c1_selectWithAClausePossible_commitsItAtOnceAndNoOther() throws Exception {
        second.send("a");
        assertThat(receiveBoth().await()).isEqualTo("second a");
        Caller<String> sender = Caller.sends(first, "b");
        assertThat(receiveBoth().await()).isEqualTo("first b");
        assertThat(sender.end()).isEqualTo("b");
        String sent = Select.<String>fair()
                .send(first, "c", () -> "to first")
                .send(second, "d", () -> "to second")
                .await();

        assertThat(sent).isEqualTo("to second");
        assertThat(second.poll()).isEqualTo("d");
        assertNobodyWaits();
    }

    @Test
    void c1_selectThatWaits_commitsTheFirstClausePossibleAndNoOther() {
        Caller<String> receives = Caller.of(() -> receiveBoth().await());
        until(() -> second.core().waitingReceivers() == 1);
        assertThat(second.offer("a")).isTrue();
        assertThat(receives.end()).isEqualTo("second a");
        assertNobodyWaits();
        assertThat(first.offer("no receiver waits")).isFalse();

        assertThat(second.offer("full")).isTrue();
        CompletableFuture<String> sends = Select.<String>fair()
                .send(first, "b", () -> "to first")
                .send(second, "c", () -> "to second")
                .awaitAsync();
        assertThat(sends).isNotDone();
        assertThat(first.poll()).isEqualTo("b");
        assertThat(sends).isCompletedWithValue("to first");
        assertThat(second.poll()).isEqualTo("full");
        assertThat(second.poll()).isNull();
        assertNobodyWaits();
    }

    @Test
    void c1_selectsThatMeet_exchangeAValue() {
        CompletableFuture<String> waiting = receiveBoth().awaitAsync();
        String sent = Select.<String>fair().send(first, "a", () -> "sent").orElse(() -> "no receiver waits");

        assertThat(sent).isEqualTo("sent");
        assertThat(waiting).isCompletedWithValue("first a");
        assertNobodyWaits();
    }

    @Test
    void c1_sameChannelTwice_isOneClauseCommittedAndNeverItself() {
        CompletableFuture<String> twice = Select.<String>fair()
                .receive(first, value -> "one " + value)
                .receive(first, value -> "other " + value)
                .awaitAsync();
        assertThat(first.core().waitingReceivers()).isEqualTo(2);
        assertThat(first.offer("a")).isTrue();
        assertThat(result(twice)).isIn("one a", "other a");
        assertThat(first.offer("no receiver waits")).isFalse();

        CompletableFuture<String> both = Select.<String>biased()
                .send(first, "b", () -> "sent")
                .receive(first, value -> "received " + value)
                .awaitAsync();
        assertThat(both).as("it does not serve itself").isNotDone();
        assertThat(first.offer("c")).isTrue();
        assertThat(both).isCompletedWithValue("received c");
        assertNobodyWaits();
    }

    @Test
    void c1_selectsOnBothSides_exchangeEachValueOnce() {
        Channel<Integer> one = Channel.rendezvous("one");
        Channel<Integer> two = Channel.rendezvous("two");
        int each = 3_000;
        AtomicInteger received = new AtomicInteger();
        List<Caller<Integer>> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            boolean sends = i % 2 == 0;
            boolean turned = i < 2; // names the channels in the opposite order
            callers.add(Caller.of(() -> {
                int sum = 0;
                for (int value = 0; value < each; value++) {
                    Channel<Integer> a = turned ? one : two;
                    Channel<Integer> b = turned ? two : one;
                    int now = value;
                    Select<Integer> select = sends
                            ? Select.<Integer>fair().send(a, value, () -> now).send(b, value, () -> now)
                            : Select.<Integer>fair().receive(a, got -> got).receive(b, got -> got);
                    sum += select.await();
                }
                received.addAndGet(sends ? -sum : sum);
                return sum;
            }));
        }
        callers.forEach(Caller::end);

        assertThat(received).hasValue(0);
        assertThat(one.core().waitingReceivers() + two.core().waitingReceivers())
                .isZero();
        assertThat(one.core().waitingSenders() + two.core().waitingSenders()).isZero();
    }

    @Test
    void c1_conflatingClause_sendsItsValueAndForgetsItsKey() {
        ConflatingBuffer<String> buffer = new ConflatingBuffer<>(1, value -> value.charAt(0), null);
        Channel<String> latest = new Channel<>("latest", buffer);
        assertThat(latest.offer("a1")).isTrue();
        Select<String> replace = Select.<String>fair().send(latest, "a2", () -> "sent");
        assertThat(replace.orElse(() -> "full")).isEqualTo("sent");
        assertThat(Select.<String>fair().send(latest, "c1", () -> "sent").orElse(() -> "full"))
                .isEqualTo("full");
        assertThat(buffer.estimatedKeys()).as("that of a2").isEqualTo(1);
        CompletableFuture<String> waits = Select.<String>fair()
                .send(latest, "b1", () -> "sent")
                .receive(first, value -> "received " + value)
                .awaitAsync();
        assertThat(waits).isNotDone();
        assertThat(buffer.estimatedKeys()).isEqualTo(2);
        assertThat(first.offer("x")).isTrue();
        assertThat(waits).isCompletedWithValue("received x");
        assertThat(buffer.estimatedKeys()).isEqualTo(1);
        CompletableFuture<String> cancelled =
                Select.<String>fair().send(latest, "d1", () -> "sent").awaitAsync();
        assertThat(buffer.estimatedKeys()).isEqualTo(2);
        assertThat(cancelled.cancel(false)).isTrue();
        assertThat(buffer.estimatedKeys()).isEqualTo(1);
        CompletableFuture<String> served =
                Select.<String>fair().send(latest, "e1", () -> "sent").awaitAsync();
        assertThat(latest.poll()).isEqualTo("a2");
        assertThat(served).isCompletedWithValue("sent");

        assertThat(latest.poll()).isEqualTo("e1");
        assertThat(buffer.estimatedKeys()).as("keys of received values").isLessThanOrEqualTo(2);
    }

    @Test
    void c1_conflatingClauseWhoseKeyCodeThrows_sendsNothingAndForgetsTheKeysOfTheOthers() {
        ConflatingBuffer<String> buffer = new ConflatingBuffer<>(2, value -> value.charAt(0), null);
        Channel<String> latest = new Channel<>("latest", buffer);
        Channel<String> failing = Channel.conflating("failing", 1, value -> new Object() {
            @Override
            public int hashCode() {
                throw new IllegalStateException("hash of " + value);
            }
        });
        Select<String> select =
                Select.<String>fair().send(latest, "a1", () -> "sent").send(failing, "b1", () -> "sent");

        assertThatThrownBy(() -> select.orElse(() -> "none")).hasMessage("hash of b1");
        assertThatThrownBy(select::awaitAsync).hasMessage("hash of b1");
        assertThat(buffer.estimatedKeys()).isZero();
        assertThat(latest.stats().pending()).isZero();
        assertThat(latest.offer("a2")).isTrue();
        assertThat(failing.stats().pending()).isZero();
    }

    // ---------------------------------------------------------------- the choice of the clause

    @Test
    void c1_fairSelect_drawsEachPossibleClauseAsOften() throws Exception {
        List<Channel<Integer>> channels = new ArrayList<>();
        int[] drawn = new int[3];
        for (int i = 0; i < 3; i++) {
            channels.add(Channel.buffered("channel", 1));
            channels.get(i).send(i);
        }
        int rounds = 6_000;
        for (int round = 0; round < rounds; round++) {
            Select<Integer> select = Select.fair();
            channels.forEach(channel -> select.receive(channel, value -> value));
            int value = select.await();
            drawn[value]++;
            channels.get(value).send(value);
        }

        for (int times : drawn) {
            assertThat(times).isBetween(rounds / 3 - 200, rounds / 3 + 200);
        }
    }

    @Test
    void c1_fairSelectOverNewChannels_drawsEachPossibleClauseAsOftenFromTheFirstDraw() {
        for (int clauses = 2; clauses <= 4; clauses++) {
            int[] drawn = new int[clauses];
            int rounds = 3_000 * clauses;
            for (int round = 0; round < rounds; round++) {
                Select<Integer> select = Select.fair();
                for (int i = 0; i < clauses; i++) {
                    Channel<Integer> fresh = Channel.buffered("fresh", 1);
                    assertThat(fresh.offer(i)).isTrue();
                    select.receive(fresh, value -> value);
                }
                drawn[select.orElse(() -> -1)]++;
            }
            assertThat(drawn).hasSize(clauses);
            for (int times : drawn) {
                assertThat(times).isBetween(2_700, 3_300); // 300 are more than five standard deviations
            }
        }
    }

    @Test
    void c1_fairSelectsOfTasksOverNewChannels_drawEachPossibleClause() {
        try (Spindle spindle = Spindle.create()) {
            int[] drawn = new int[2];
            for (int round = 0; round < 200; round++) {
                Channel<Integer> one = Channel.buffered("one", 1);
                Channel<Integer> two = Channel.buffered("two", 1);
                assertThat(one.offer(0) && two.offer(1)).isTrue();
                Select<Integer> select =
                        Select.<Integer>fair().receive(one, value -> value).receive(two, value -> value);
                boolean byTask = round % 2 == 0;
                drawn[
                        byTask
                                ? result(spindle.submit(() -> select.orElse(() -> -1)))
                                : result(select.awaitAsync(spindle))]++;
            }
            assertThat(drawn[0]).isBetween(20, 180);
        }
    }

    @Test
    void c1_biasedSelect_takesTheFirstPossibleClause() throws Exception {
        Channel<Integer> one = Channel.buffered("one", 1);
        Channel<Integer> two = Channel.buffered("two", 1);
        Select<Integer> select =
                Select.<Integer>biased().receive(one, value -> value).receive(two, value -> -value);
        for (int i = 1; i < 100; i++) {
            one.send(i);
            two.send(i);
            assertThat(select.await()).isEqualTo(i);
            assertThat(select.await()).isEqualTo(-i);
        }
    }

    // ---------------------------------------------------------------- without a partner

    @Test
    void c1_orElse_neverWaitsAndLeavesNoTrace() {
        assertThat(receiveBoth().orElse(() -> "none")).isEqualTo("none");
        assertNobodyWaits();
        assertThat(second.offer("a")).isTrue();
        assertThat(receiveBoth().orElse(() -> "none")).isEqualTo("second a");
    }

    @Test
    void c1_timeLimitThatPasses_leavesNoTrace() throws Exception {
        Select<String> limited = receiveBoth().onTimeout(Duration.ofMillis(1), () -> "late");
        assertThat(limited.await()).isEqualTo("late");
        assertNobodyWaits();

        Caller<String> inTime = Caller.of(
                        () -> receiveBoth().onTimeout(LONG, () -> "late").await())
                .parked();
        second.send("a");
        assertThat(inTime.end()).isEqualTo("second a");
    }

    @Test
    void c1_timeLimitOfAStage_isKeptByTheClockOfTheSpindle() {
        try (Simulation simulation = Simulation.inOrder()) {
            Select<String> limited = receiveBoth().onTimeout(Duration.ofSeconds(5), () -> "late");
            CompletableFuture<String> late = limited.awaitAsync(simulation.spindle());
            CompletableFuture<String> inTime = limited.awaitAsync(simulation.spindle());
            assertThat(second.offer("x")).isTrue();
            assertThat(late).as("the first that waits").isCompletedWithValue("second x");
            simulation.advance(Duration.ofSeconds(4));
            assertThat(inTime).isNotDone();
            simulation.advance(Duration.ofSeconds(1));

            assertThat(inTime).isCompletedWithValue("late");
            assertNobodyWaits();
            CompletableFuture<String> cancelled = limited.awaitAsync(simulation.spindle());
            assertThat(cancelled.cancel(false)).isTrue();
            assertThat(second.offer("y")).isTrue();
            assertThat(limited.awaitAsync(simulation.spindle())).isCompletedWithValue("second y");
            assertNobodyWaits();
        }
    }

    @Test
    void c1_timeLimitsThatAreNotNeeded_leaveNoTimerBehind() throws Exception {
        Spindle spindle = Spindle.create();
        Select<String> limited = receiveBoth().onTimeout(Duration.ofHours(1), () -> "late");
        CompletableFuture<String> served = limited.awaitAsync(spindle);
        CompletableFuture<String> cancelled = limited.awaitAsync(spindle);
        assertThat(second.offer("a")).isTrue();
        assertThat(cancelled.cancel(false)).isTrue();
        assertThat(served).isCompletedWithValue("second a");
        spindle.shutdown(); // waits for the limits that are set

        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> result(limited.awaitAsync(spindle)))
                .hasCauseInstanceOf(RejectedExecutionException.class);
        assertNobodyWaits();
    }

    @Test
    void d1_shutdownWhileASelectWithALimitWaits_rejectsItAtOnceAndItsFunctionDoesNotRun() throws Exception {
        for (boolean now : List.of(true, false)) {
            Spindle spindle = Spindle.create();
            AtomicInteger ran = new AtomicInteger();
            Select<String> limited =
                    receiveBoth().onTimeout(Duration.ofHours(1), () -> "late " + ran.incrementAndGet());
            CompletableFuture<String> waits = limited.awaitAsync(spindle);
            CompletableFuture<String> without = receiveBoth().awaitAsync(spindle);
            if (now) {
                assertThat(spindle.shutdownNow()).isEmpty();
            } else {
                spindle.shutdown();
            }
            assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();

            assertThatThrownBy(() -> result(waits))
                    .cause()
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessageContaining("shut down");
            assertThat(ran).hasValue(0);
            assertThat(without).as("needs no clock").isNotDone();
            assertThat(second.offer("a")).isTrue();
            assertThat(without).isCompletedWithValue("second a");
            assertNobodyWaits();
        }
    }

    @Test
    void a3_limitOfASelectWhileAllWorkersAreBusy_actsInTime() throws Exception {
        CountDownLatch busy = new CountDownLatch(2);
        CountDownLatch go = new CountDownLatch(1);
        Spindle spindle = Spindle.builder().coreThreads(2).maxThreads(2).build();
        for (int i = 0; i < 2; i++) {
            spindle.execute(() -> {
                busy.countDown();
                while (go.getCount() > 0) {
                    Thread.onSpinWait();
                }
            });
        }
        await(busy);
        CompletableFuture<String> late =
                receiveBoth().onTimeout(Duration.ofMillis(20), () -> "late").awaitAsync(spindle);
        assertThat(result(late)).as("though no task ends").isEqualTo("late");
        go.countDown();
        spindle.close();
        assertNobodyWaits();
    }

    @Test
    void c1_interruptedSelect_leavesNoTrace() {
        Caller<String> select = Caller.of(() -> receiveBoth().await()).parked();
        select.interrupt();

        assertThatThrownBy(select::end).hasCauseInstanceOf(InterruptedException.class);
        assertNobodyWaits();
        assertThat(first.offer("no receiver waits")).isFalse();
    }

    @Test
    void c1_cancelledSelect_leavesNoTrace() {
        CompletableFuture<String> select = receiveBoth().awaitAsync();
        assertThat(select.cancel(false)).isTrue();

        assertNobodyWaits();
        assertThat(first.offer("no receiver waits")).isFalse();
    }

    // ---------------------------------------------------------------- the end, and mistakes

    @Test
    void c1_closedChannel_endsTheSelect() {
        CompletableFuture<String> waits = receiveBoth().awaitAsync();
        IllegalStateException cause = new IllegalStateException("no more");
        first.close(cause);
        assertThatThrownBy(() -> result(waits))
                .cause()
                .isInstanceOf(ChannelClosedException.class)
                .hasCause(cause);
        assertNobodyWaits();

        assertThatThrownBy(() -> receiveBoth().await()).isInstanceOf(ChannelClosedException.class);
        assertThatThrownBy(() -> receiveBoth().orElse(() -> "none")).isInstanceOf(ChannelClosedException.class);
        assertThatThrownBy(() -> result(
                        Select.<String>fair().send(first, "a", () -> "sent").awaitAsync()))
                .hasCauseInstanceOf(ChannelClosedException.class);
    }

    @Test
    void c1_closedChannelWithValues_isStillReceivedFrom() throws Exception {
        second.send("a");
        second.close();

        assertThat(receiveBoth().await()).isEqualTo("second a");
        assertThatThrownBy(() -> receiveBoth().await()).isInstanceOf(ChannelClosedException.class);
    }

    @Test
    void functionThatThrows_reachesTheCallerOrTheStage() throws Exception {
        Select<String> failing = Select.<String>fair().receive(second, value -> {
            throw new IllegalStateException("took " + value);
        });
        second.send("a");
        assertThatThrownBy(failing::await).hasMessage("took a");
        CompletableFuture<String> stage = failing.awaitAsync();
        second.send("b");
        assertThatThrownBy(() -> result(stage)).cause().hasMessage("took b");
        second.send("c");
        assertThatThrownBy(() -> result(failing.awaitAsync())).cause().hasMessage("took c");
        assertThat(second.stats().pending()).isZero();
    }

    @Test
    void mistakes_areRefusedWithTheRemedy() {
        Select<@Nullable String> empty = Select.fair();
        assertThatThrownBy(empty::await)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a select needs a clause: add receive or send");
        assertThatThrownBy(() -> receiveBoth().onTimeout(Duration.ZERO, () -> "late"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("timeout must be positive, is PT0S; a select that does not wait ends with orElse");
        Select<String> limited = receiveBoth().onTimeout(LONG, () -> "late");
        assertThatThrownBy(() -> limited.onTimeout(LONG, () -> "later"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("this select has a timeout already, of PT20S");
    }
}
