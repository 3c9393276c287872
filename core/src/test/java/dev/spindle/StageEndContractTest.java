// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** D1, K6: when {@code Async} stages are accepted, and which waits for derived futures are refused. */
@Timeout(120)
@SuppressWarnings({"FutureReturnValueIgnored", "NullAway"}) // the stages record their runs; the JDK passes null
class StageEndContractTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    private static Stream<Lane> lanes(Spindle spindle) {
        return Stream.of(spindle.keyed("keys").at("key"), spindle.strand("strand"));
    }

    @Test
    void d1_close_runsAllStages() {
        AtomicInteger ran = new AtomicInteger();
        List<CompletableFuture<?>> all = new ArrayList<>();
        try (Spindle spindle = Spindles.options().coreThreads(2).build()) {
            Keyed<Integer> keys = spindle.keyed("keys");
            Strand strand = spindle.strand("strand");
            LogicalExecutor one = spindle.executor("one", 1);
            for (int i = 0; i < 20_000; i++) {
                all.add(keys.submit(i % 100, () -> 1)
                        .thenApplyAsync(v -> v + ran.getAndIncrement())
                        .thenRunAsync(ran::incrementAndGet));
                all.add(strand.submit(() -> 1)
                        .thenRunAsync(ran::incrementAndGet)
                        .thenRunAsync(ran::incrementAndGet));
                all.add(one.submit(() -> 1).thenRunAsync(ran::incrementAndGet).thenRunAsync(ran::incrementAndGet));
                all.add(spindle.submit(() -> 1)
                        .thenRunAsync(ran::incrementAndGet)
                        .thenRunAsync(ran::incrementAndGet));
            }
        }
        assertThat(ran).hasValue(160_000);
        assertThat(all).allMatch(stage -> stage.isDone() && !stage.isCompletedExceptionally());
    }

    @Test
    void d1_closeOfAStrandOrLogicalExecutor_runsAllStages() {
        Spindle spindle = spindles.spindle();
        AtomicInteger ran = new AtomicInteger();
        Strand strand = spindle.strand("strand");
        LogicalExecutor one = spindle.executor("one", 1);
        for (int i = 0; i < 10_000; i++) {
            strand.submit(() -> 1).thenRunAsync(ran::incrementAndGet).thenRunAsync(ran::incrementAndGet);
            one.submit(() -> 1).thenRunAsync(ran::incrementAndGet).thenRunAsync(ran::incrementAndGet);
        }
        strand.close();
        one.close();
        assertThat(ran).hasValue(40_000);
    }

    /** The stage was attached before the termination, so the close waits for what it waits for. */
    @Test
    void d1_stageAfterAnAnswerFromElsewhere_closeWaitsForIt() throws InterruptedException {
        Spindle spindle = spindles.spindle();
        CompletableFuture<String> answer = new CompletableFuture<>();
        CompletableFuture<String> asked =
                spindle.keyed("keys").at("key").submit(() -> "request").thenCompose(v -> answer);
        CompletableFuture<String> stage = asked.thenApplyAsync(v -> v + "!");
        spindle.shutdown();
        assertThat(spindle.awaitTermination(20, TimeUnit.MILLISECONDS)).isFalse();

        answer.complete("answer");

        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(stage).isCompletedWithValue("answer!");
    }

    @Test
    void d1_shutdownNow_endsEveryStage() throws InterruptedException {
        Spindle spindle = spindles.spindle();
        Lane lane = spindle.keyed("keys").at("key");
        List<CompletableFuture<?>> stages = new ArrayList<>();
        CompletableFuture<String> never = new CompletableFuture<>();
        CompletableFuture<?> done = lane.submit(() -> "value");
        result(done);
        stages.add(lane.submit(() -> 1).thenCompose(v -> never).thenApplyAsync(v -> v));
        stages.add(lane.submitAsync(() -> never).thenRunAsync(() -> {}));
        stages.add(lane.submit(() -> 1).thenRunAsync(() -> {}).thenRun(() -> {}));
        stages.add(done.thenRunAsync(() -> {})); // waits behind the async task
        stages.add(
                spindle.schedule(() -> {}, 1, TimeUnit.HOURS) instanceof CompletableFuture<?> delayed
                        ? delayed.thenRunAsync(() -> {})
                        : never);

        assertThat(spindle.shutdownNow())
                .allMatch(task -> !task.getClass().getName().contains("Continuations"));

        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(stages).allSatisfy(stage -> assertThat(stage).failsWithin(Duration.ofSeconds(10)));
    }

    @Test
    void d1_stageAfterTheTermination_failsWithTheRejection() {
        Spindle spindle = Spindle.create();
        Strand strand = spindle.strand("strand");
        AtomicInteger ran = new AtomicInteger();
        List<CompletableFuture<?>> futures = List.of(
                spindle.submit(() -> 1),
                spindle.keyed("keys").at("key").submit(() -> 1),
                strand.submit(() -> 1),
                spindle.executor("one", 1).submit(() -> 1));
        CompletableFuture<Integer> ended = spindle.strand("ended").submit(() -> 1);
        spindle.close();
        Stream.concat(futures.stream(), Stream.of(ended))
                .forEach(future -> assertThat(future.handleAsync((v, t) -> ran.incrementAndGet()))
                        .failsWithin(Duration.ofSeconds(10))
                        .withThrowableThat()
                        .withCauseInstanceOf(RejectedExecutionException.class)
                        .withMessageContaining("terminated"));
        assertThat(ran).hasValue(0);
    }

    // ---------------------------------------------------------------- K6

    static List<StageOrderContractTest.Method> waits() {
        return List.of(
                new StageOrderContractTest.Method("thenApply", false, (f, o, body) -> f.thenApply(v -> v)),
                new StageOrderContractTest.Method("thenRunAsync", false, (f, o, body) -> f.thenRunAsync(body)),
                new StageOrderContractTest.Method(
                        "a chain",
                        false,
                        (f, o, body) -> f.thenRun(body).thenRunAsync(body).handle((v, t) -> 1)),
                new StageOrderContractTest.Method("copy", false, (f, o, body) -> f.copy()),
                new StageOrderContractTest.Method(
                        "orTimeout", false, (f, o, body) -> f.thenRun(body).orTimeout(1, TimeUnit.MINUTES)),
                new StageOrderContractTest.Method(
                        "completeOnTimeout",
                        false,
                        (f, o, body) -> f.thenApply(v -> v).completeOnTimeout("late", 1, TimeUnit.MINUTES)),
                new StageOrderContractTest.Method("thenCombine", false, (f, o, body) -> f.thenCombine(o, (v, w) -> v)),
                new StageOrderContractTest.Method("thenCompose", false, (f, o, body) -> f.thenCompose(v -> o)));
    }

    @ParameterizedTest
    @MethodSource("waits")
    void k6_waitInATurnForADerivedFutureOfTheLane_throwsAtOnce(StageOrderContractTest.Method method) {
        Spindle spindle = spindles.spindle();
        lanes(spindle).forEach(lane -> {
            CompletableFuture<String> other = CompletableFuture.completedFuture("other");
            CompletableFuture<?> waiting = lane.submit(() -> {
                CompletableFuture<?> derived = method.attach().to(lane.submit(() -> "value"), other, () -> {});
                assertThatThrownBy(derived::join).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> derived.get(1, TimeUnit.MINUTES)).isInstanceOf(IllegalStateException.class);
                return derived;
            });
            result((CompletableFuture<?>) result(waiting));
        });
    }

    @Test
    void k6_lateAsyncStageOfTheOwnLane_throwsAtOnce() {
        Lane lane = spindles.spindle().keyed("keys").at("key");
        CompletableFuture<Integer> done = lane.submit(() -> 1);
        result(done);
        CompletableFuture<?> waiting = lane.submit(() -> {
            CompletableFuture<Integer> stage = done.thenApplyAsync(v -> v);
            assertThatThrownBy(stage::join).isInstanceOf(IllegalStateException.class);
            assertThat(done.thenApply(v -> v).join()).isOne();
            return 1;
        });
        result(waiting);
    }

    /** A wait that ends without the lane is let through. */
    @Test
    void k6_waitForADerivedFutureThatNeedsNoTurnOfTheLane_ends() {
        Spindle spindle = spindles.spindle();
        Lane lane = spindle.keyed("keys").at("key");
        Lane bob = spindle.keyed("keys").at("bob");
        CompletableFuture<String> done = lane.submit(() -> "done");
        result(done);
        CompletableFuture<?> waiting = lane.submit(() -> {
            CompletableFuture<String> elsewhere = new CompletableFuture<>();
            CompletableFuture<String> composed = done.thenCompose(v -> elsewhere);
            bob.execute(() -> elsewhere.complete("elsewhere"));
            assertThat(composed.join()).isEqualTo("elsewhere");
            CompletableFuture<String> pending = lane.submit(() -> "pending");
            assertThat(pending.applyToEither(bob.submit(() -> "bob"), v -> v).join())
                    .isEqualTo("bob");
            assertThat(bob.submit(() -> 1).thenApplyAsync(v -> v + 1).join()).isEqualTo(2);
            return 1;
        });
        result(waiting);
    }

    @Test
    void k6_asyncTaskThatReturnsAStageOfItsOwnLane_failsAtOnce() {
        Lane lane = spindles.spindle().keyed("keys").at("key");
        CompletableFuture<Integer> done = lane.submit(() -> 1);
        result(done);
        CompletableFuture<Integer> stuck = lane.submitAsync(() -> done.thenApplyAsync(v -> v));
        assertThatThrownBy(() -> result(stuck)).hasCauseInstanceOf(IllegalStateException.class);
        CompletableFuture<Integer> fine = lane.submitAsync(() -> done.thenApply(v -> v));
        assertThat(result(fine)).isOne();
    }

    @Test
    void t2_waitForADerivedFuture_isCompensated() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).maxThreads(2));
        Lane bob = spindle.keyed("keys").at("bob");
        CompletableFuture<Integer> outer = spindle.submit(
                () -> bob.submit(() -> 1).thenApplyAsync(v -> v + 1).join());
        assertThat(result(outer)).isEqualTo(2);
    }
}
