// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import dev.spindle.flow.limit.Limiter;
import dev.spindle.testkit.Simulation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored") // the tests look at the calls by other means
class ScatterGatherTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private final IOException reset = new IOException("reset");
    private static final Outcome<String> CANCELLED = new Outcome.Cancelled<>();

    private final Simulation simulation = Simulation.inOrder();
    private final Spindle spindle = simulation.spindle();
    private final Backend backend = new Backend(); // call i belongs to part i
    private final List<String> discarded = new ArrayList<>();

    @AfterEach
    void close() {
        simulation.close();
    }

    private Endpoint<String, String> endpoint() {
        return Endpoint.builder(spindle, "db", backend)
                .onDiscard(discarded::add)
                .build();
    }

    private CompletableFuture<Outcome<Gathered>> call(ScatterGatherBuilder<String> builder, int services) {
        for (int i = 0; i < services; i++) {
            builder.add(endpoint());
        }
        return builder.build().call("q", Deadline.after(spindle, SECOND));
    }

    private static Outcome<String> value(String value) {
        return new Outcome.Value<>(value);
    }

    private static List<Outcome<?>> outcomes(CompletableFuture<Outcome<Gathered>> answer) {
        return answer.join().orThrow().outcomes();
    }

    private static List<Outcome<?>> unmet(CompletableFuture<Outcome<Gathered>> answer) {
        Throwable cause = ((Outcome.Failed<Gathered>) answer.join()).cause();
        return ((UnmetException) cause).gathered().outcomes();
    }

    @Test
    void b1_all_answersWhenTheLastHasComeInTheOrderOfTheEndpoints() {
        CompletableFuture<Outcome<Gathered>> answer = call(ScatterGather.builder(), 3);
        backend.answer(2, "c");
        backend.answer(0, "a");
        assertThat(answer).isNotDone();
        backend.answer(1, "b");

        assertThat(outcomes(answer)).isEqualTo(List.of(value("a"), value("b"), value("c")));
    }

    @Test
    void b1_valueThatComesAfterTheDecision_isDiscarded() {
        CompletableFuture<Outcome<String>> stubborn = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                return false;
            }
        };
        ScatterGatherBuilder<String> builder = ScatterGather.<String>builder().firstSuccess();
        builder.add(new Service<String, String>() {
            @Override
            public CompletableFuture<Outcome<String>> call(String request, Deadline deadline) {
                return stubborn;
            }

            @Override
            public void discard(String answer) {
                discarded.add(answer);
            }
        });
        CompletableFuture<Outcome<Gathered>> answer = call(builder, 1);
        backend.answer(0, "a");
        assertThat(answer).isDone();
        stubborn.complete(value("late"));

        assertThat(discarded).containsExactly("late");
    }

    @Test
    void b1_all_oneFailureEndsItAndCancelsTheOthers() {
        CompletableFuture<Outcome<Gathered>> answer = call(ScatterGather.builder(), 3);
        backend.answer(2, "c");
        backend.fail(1, reset);

        assertThat(unmet(answer)).isEqualTo(List.of(CANCELLED, new Outcome.Failed<>(reset), value("c")));
        assertThat(backend.stage(0)).isCancelled();
        assertThat(((Outcome.Failed<Gathered>) answer.join()).cause())
                .hasMessageStartingWith("needed 3 values, got 1: [");
    }

    @Test
    void b1_quorum_answersWithTheFirstThatCome() {
        CompletableFuture<Outcome<Gathered>> answer =
                call(ScatterGather.<String>builder().quorum(2), 3);
        backend.answer(2, "c");
        backend.fail(0, reset);
        assertThat(answer).isNotDone();
        backend.answer(1, "b");

        assertThat(outcomes(answer)).isEqualTo(List.of(new Outcome.Failed<>(reset), value("b"), value("c")));
        assertThat(answer.join().orThrow().outcomes())
                .filteredOn(Outcome.Value.class::isInstance)
                .hasSize(2);
    }

    @Test
    void b1_quorum_thatCannotBeReached_endsAtOnce() {
        CompletableFuture<Outcome<Gathered>> answer =
                call(ScatterGather.<String>builder().quorum(2), 3);
        backend.fail(0, reset);
        backend.fail(1, reset);

        assertThat(unmet(answer))
                .isEqualTo(List.of(new Outcome.Failed<>(reset), new Outcome.Failed<>(reset), CANCELLED));
        assertThat(backend.stage(2)).isCancelled();
    }

    @Test
    void b1_firstSuccess_takesOneAndCancelsTheOthersBeforeItAnswers() {
        CompletableFuture<Outcome<Gathered>> answer =
                call(ScatterGather.<String>builder().firstSuccess(), 3);
        List<Boolean> cancelledBefore = new ArrayList<>();
        answer.thenRun(() -> cancelledBefore.add(
                backend.stage(0).isCancelled() && backend.stage(2).isCancelled()));
        backend.answer(1, "b");

        assertThat(outcomes(answer)).isEqualTo(List.of(CANCELLED, value("b"), CANCELLED));
        assertThat(cancelledBefore).containsExactly(true);
    }

    @Test
    void b1_firstSuccess_thatIsThereAtOnce_callsNobodyElse() {
        ScatterGatherBuilder<String> builder = ScatterGather.<String>builder().firstSuccess();
        builder.add((q, deadline) -> CompletableFuture.completedFuture(value("cached")));
        CompletableFuture<Outcome<Gathered>> answer = call(builder, 2);

        assertThat(outcomes(answer)).isEqualTo(List.of(value("cached"), CANCELLED, CANCELLED));
        assertThat(backend.calls()).isZero();
    }

    @Test
    void b1_bestEffort_takesWhatThereIsByTheDeadline() {
        CompletableFuture<Outcome<Gathered>> answer =
                call(ScatterGather.<String>builder().bestEffort(), 3);
        backend.answer(1, "b");
        backend.fail(2, reset);
        simulation.advance(SECOND.minusNanos(1));
        assertThat(answer).isNotDone();
        simulation.advance(Duration.ofNanos(1));

        assertThat(outcomes(answer))
                .isEqualTo(List.of(
                        new Outcome.TimedOut<>("endpoint db was not answered in time"),
                        value("b"),
                        new Outcome.Failed<>(reset)));
    }

    @Test
    void b1_bestEffort_whenAllHaveEnded_doesNotWait() {
        CompletableFuture<Outcome<Gathered>> answer =
                call(ScatterGather.<String>builder().bestEffort(), 2);
        backend.fail(0, reset);
        backend.fail(1, reset);

        assertThat(outcomes(answer)).hasSize(2);
    }

    @Test
    void b1_deadline_endsThoseThatAreOpenAsTimedOut() {
        CompletableFuture<Outcome<Gathered>> answer = call(ScatterGather.builder(), 3);
        backend.answer(1, "b");
        simulation.advance(SECOND);

        Outcome<String> late = new Outcome.TimedOut<>("endpoint db was not answered in time");
        assertThat(unmet(answer)).isEqualTo(List.of(late, value("b"), late));
    }

    @Test
    void b1_endpointOfAnotherSpindle_hasATimerOfThat() {
        Simulation other = Simulation.inOrder();
        ScatterGatherBuilder<String> builder = ScatterGather.<String>builder().bestEffort();
        builder.add(endpoint());
        builder.add(endpoint());
        builder.add(Endpoint.create(other.spindle(), "other", backend));
        CompletableFuture<Outcome<Gathered>> answer = builder.build().call("q", Deadline.after(spindle, SECOND));
        other.advance(SECOND);
        assertThat(backend.stage(2)).isCancelled();
        assertThat(backend.stage(1)).isNotDone();
        simulation.advance(SECOND);

        assertThat(outcomes(answer)).allMatch(outcome -> outcome instanceof Outcome.TimedOut<?>);
        other.close();
    }

    @Test
    void b1_endpointsWithLimitsOfTheirOwn_endByThem() {
        ScatterGatherBuilder<String> builder = ScatterGather.<String>builder().bestEffort();
        builder.add(endpoint());
        builder.add(endpoint());
        builder.add(Endpoint.builder(spindle, "quick", backend)
                .attemptTimeout(Duration.ofMillis(100))
                .build());
        CompletableFuture<Outcome<Gathered>> answer = builder.build().call("q", Deadline.after(spindle, SECOND));
        simulation.advance(Duration.ofMillis(100));

        assertThat(backend.stage(2)).isCancelled();
        assertThat(backend.stage(0)).isNotDone();
        assertThat(answer).isNotDone();
    }

    @Test
    void shutdownNow_callsUnderWay_areRejected() {
        CompletableFuture<Outcome<Gathered>> answer =
                call(ScatterGather.<String>builder().bestEffort(), 3);
        backend.answer(1, "b");
        assertThat(spindle.shutdownNow()).isEmpty();

        List<Outcome<?>> outcomes = outcomes(answer);
        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Rejected.class);
        assertThat(outcomes.get(1)).isEqualTo(value("b"));
        assertThat(outcomes.get(2)).isInstanceOf(Outcome.Rejected.class);
    }

    @Test
    void b5_oneThatThrowsWhenTimeIsUp_leavesTheOthersToEnd() {
        CompletableFuture<Outcome<Gathered>> answer =
                call(ScatterGather.<String>builder().bestEffort(), 3);
        backend.attempts.get(0).onCancel(() -> {
            throw new AssertionError("thrown by a callback");
        });
        simulation.advance(SECOND);

        assertThat(outcomes(answer)).hasSize(3).allMatch(outcome -> outcome instanceof Outcome.TimedOut<?>);
    }

    @Test
    void b1_everyKindOfOutcome_isToldApart() {
        ScatterGatherBuilder<String> builder = ScatterGather.<String>builder().bestEffort();
        Bulkhead full = Bulkhead.create(spindle, "full", Limiter.fixed(1), 0);
        Permit taken = requireNonNull(full.tryAcquire());
        Part<String> good = builder.add(endpoint());
        Part<String> failed = builder.add(endpoint());
        Part<String> late = builder.add(endpoint().within(Duration.ofMillis(10)));
        Part<String> rejected = builder.add(
                Endpoint.builder(spindle, "x", backend).bulkhead(full).build());
        Part<String> cancelled = builder.add(endpoint());
        CompletableFuture<Outcome<Gathered>> answer = builder.build().call("q", Deadline.after(spindle, SECOND));
        backend.answer(0, "a");
        backend.fail(1, reset);
        backend.stage(3).cancel(true);
        simulation.advance(Duration.ofMillis(10));

        Gathered gathered = answer.join().orThrow();
        assertThat(gathered.outcome(good)).isInstanceOf(Outcome.Value.class);
        assertThat(gathered.outcome(failed)).isInstanceOf(Outcome.Failed.class);
        assertThat(gathered.outcome(late)).isInstanceOf(Outcome.TimedOut.class);
        assertThat(gathered.outcome(rejected)).isInstanceOf(Outcome.Rejected.class);
        assertThat(gathered.outcome(cancelled)).isInstanceOf(Outcome.Cancelled.class);
        assertThat(gathered.value(good)).isEqualTo("a");
        assertThat(taken.ignore()).isTrue();
    }

    @Test
    void b1_callerCancels_allAreCancelledAndValuesDiscarded() {
        CompletableFuture<Outcome<Gathered>> answer = call(ScatterGather.builder(), 3);
        backend.answer(1, "b");
        assertThat(answer.cancel(true)).isTrue();

        assertThat(answer).isCancelled();
        assertThat(backend.stage(0)).isCancelled();
        assertThat(backend.stage(2)).isCancelled();
        assertThat(discarded).containsExactly("b");
    }

    @Test
    void b1_lateAndLosingAnswers_reachNobodyAndAreDiscarded() {
        List<CompletableFuture<String>> stubborn = new ArrayList<>();
        ScatterGatherBuilder<String> builder = ScatterGather.<String>builder().firstSuccess();
        for (int i = 0; i < 2; i++) {
            builder.add(Endpoint.<String, String>builder(spindle, "x", (q, attempt) -> {
                        stubborn.add(new CompletableFuture<>());
                        return stubborn.get(stubborn.size() - 1).minimalCompletionStage();
                    })
                    .onDiscard(discarded::add)
                    .build());
        }
        AtomicInteger completions = new AtomicInteger();
        CompletableFuture<Outcome<Gathered>> answer = builder.build().call("q", Deadline.after(spindle, SECOND));
        answer.thenRun(completions::incrementAndGet);
        stubborn.get(1).complete("b");
        List<Outcome<?>> before = List.copyOf(outcomes(answer));
        stubborn.get(0).complete("late");

        assertThat(outcomes(answer)).isEqualTo(before);
        assertThat(discarded).containsExactly("late");
        assertThat(completions).hasValue(1);
    }

    @Test
    @SuppressWarnings("NullAway") // null is one of the faults
    void b1_servicesOfUsersThatMisbehave_areOutcomes() {
        ScatterGatherBuilder<String> builder = ScatterGather.<String>builder().bestEffort();
        builder.add((q, deadline) -> {
            throw new IllegalStateException("thrown");
        });
        builder.add((q, deadline) -> null);
        builder.add((q, deadline) -> CompletableFuture.failedFuture(reset));
        builder.add((q, deadline) -> CompletableFuture.completedFuture(null));
        CompletableFuture<Outcome<Gathered>> answer = builder.build().call("q", Deadline.after(spindle, SECOND));

        assertThat(outcomes(answer)).hasSize(4).allMatch(outcome -> outcome instanceof Outcome.Failed<?>);
    }

    @Test
    void b2_deadlineUsedUp_isAnsweredAtOnceWithoutACall() {
        ScatterGatherBuilder<String> builder = ScatterGather.<String>builder().bestEffort();
        builder.add(endpoint());
        Outcome<Gathered> outcome = builder.build()
                .call("q", Deadline.after(spindle, Duration.ZERO))
                .join();

        assertThat(outcome).isInstanceOf(Outcome.TimedOut.class);
        assertThat(backend.calls()).isZero();
    }

    @Test
    void b2_eachService_isGivenWhatIsLeftAndItsOwnLimit() {
        ScatterGatherBuilder<String> builder = ScatterGather.builder();
        builder.add(endpoint());
        builder.add(endpoint().within(Duration.ofMillis(100)));
        builder.build().call("q", Deadline.after(spindle, SECOND));

        assertThat(backend.attempts.get(0).deadline().remaining()).isEqualTo(SECOND);
        assertThat(backend.attempts.get(1).deadline().remaining()).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void b1_scatterGatherOfPipelines_isOneService() {
        ScatterGatherBuilder<String> inner = ScatterGather.builder();
        Part<String> left = inner.add(endpoint().andThen(endpoint().compose(a -> a + "2")));
        inner.add(endpoint());
        Service<String, String> whole =
                inner.build().andThen(endpoint().compose((Gathered gathered) -> gathered.value(left) + "!"));
        CompletableFuture<Outcome<String>> answer = whole.call("q", Deadline.after(spindle, SECOND));
        backend.answer(0, "a");
        backend.answer(2, "b");
        backend.answer(1, "c");
        backend.answer(3, "end");

        assertThat(answer).isCompletedWithValue(value("end"));
        assertThat(backend.requests).containsExactly("q", "q", "a2", "b!");
    }

    @Test
    void gathered_partOfAnother_isRefused() {
        ScatterGatherBuilder<String> other = ScatterGather.builder();
        Part<String> part = other.add(endpoint());
        CompletableFuture<Outcome<Gathered>> answer = call(ScatterGather.builder(), 1);
        backend.answer(0, "a");
        Gathered gathered = answer.join().orThrow();

        assertThatThrownBy(() -> gathered.outcome(part)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> gathered.outcomes().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThat(gathered).hasToString("gathered [Value[value=a]]");
    }

    @Test
    void discard_ofAWhole_discardsItsValues() {
        ScatterGatherBuilder<String> builder = ScatterGather.<String>builder().bestEffort();
        builder.add(endpoint());
        builder.add(endpoint());
        ScatterGather<String> scatter = builder.build();
        CompletableFuture<Outcome<Gathered>> answer = scatter.call("q", Deadline.after(spindle, SECOND));
        backend.answer(0, "a");
        backend.fail(1, reset);
        scatter.discard(answer.join().orThrow());

        assertThat(discarded).containsExactly("a");
        assertThat(scatter).hasToString("best effort of [endpoint db, endpoint db]");
    }

    @Test
    void build_tooFewServices_isRefused() {
        assertThatThrownBy(() -> ScatterGather.builder().build()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> ScatterGather.<String>builder().quorum(0))
                .isInstanceOf(IllegalArgumentException.class);
        ScatterGatherBuilder<String> builder = ScatterGather.<String>builder().quorum(2);
        builder.add(endpoint());
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("needs at least 2 services, has 1");
        builder.add(endpoint());
        assertThat(builder.build()).hasToString("2 values of [endpoint db, endpoint db]");
        assertThatThrownBy(() -> builder.add(endpoint())).isInstanceOf(IllegalStateException.class);
    }
}
