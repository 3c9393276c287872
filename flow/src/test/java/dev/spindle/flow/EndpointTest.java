// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import dev.spindle.Stats;
import dev.spindle.testkit.Simulation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored") // the tests look at the calls by other means
class EndpointTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MILLI = Duration.ofMillis(1);

    private final Simulation simulation = Simulation.inOrder();
    private final Spindle spindle = simulation.spindle();
    private final Backend backend = new Backend();

    @AfterEach
    void close() {
        simulation.close();
    }

    private EndpointBuilder<String, String> endpoint() {
        return Endpoint.builder(spindle, "db", backend);
    }

    private Deadline in(Duration time) {
        return Deadline.after(spindle, time);
    }

    @Test
    void call_answered_isTheValue() {
        CompletableFuture<Outcome<String>> answer = endpoint().build().call("q", in(SECOND));
        assertThat(answer).isNotDone();
        backend.answer(0, "a");

        assertThat(answer).isCompletedWithValue(new Outcome.Value<>("a"));
        assertThat(backend.requests).containsExactly("q");
        assertThat(backend.attempts.get(0).number()).isZero();
    }

    @Test
    void m1_statsWithoutABulkhead_countAttemptsByTheirEnds() {
        Breaker breaker = Breaker.builder(spindle, "db")
                .window(2)
                .minimumCalls(2)
                .openFor(SECOND)
                .build();
        Endpoint<String, String> db = endpoint().breaker(breaker).build();
        db.call("a", in(SECOND));
        CompletableFuture<Outcome<String>> cancelled = db.call("b", in(SECOND));
        db.call("c", in(SECOND));
        db.call("d", in(SECOND));
        assertThat(db.stats().running()).isEqualTo(4);
        assertThat(db.stats().name()).isEqualTo("db");
        backend.fail(0, new IOException("broken"));
        cancelled.cancel(true);
        assertThat(db.stats().running()).isEqualTo(2);
        backend.fail(2, new IOException("broken"));

        CompletableFuture<Outcome<String>> refused = db.call("e", in(SECOND));

        assertThat(refused.join()).isInstanceOf(Outcome.Rejected.class);
        Stats stats = db.stats();
        assertThat(stats.accepted()).isEqualTo(4);
        assertThat(stats.completed()).isEqualTo(3);
        assertThat(stats.running()).isEqualTo(1);
        assertThat(stats.rejected()).isEqualTo(1);
        simulation.advance(SECOND);
        assertThat(db.stats().running()).isZero();
    }

    @Test
    void call_nullAsAnswer_isAValue() {
        CompletableFuture<Outcome<String>> answer = endpoint().build().call("q", in(SECOND));
        backend.answer(0, null);

        assertThat(answer.join()).isInstanceOf(Outcome.Value.class);
        assertThat(answer.join().orThrow()).isNull();
    }

    @Test
    @SuppressWarnings("NullAway") // null is one of the faults
    void call_everyWayToFail_isAnOutcome() {
        IOException reset = new IOException("reset");
        assertThat(outcome((q, attempt) -> CompletableFuture.failedFuture(reset)))
                .isEqualTo(new Outcome.Failed<>(reset));
        assertThat(outcome((q, attempt) -> {
                    throw reset;
                }))
                .isEqualTo(new Outcome.Failed<>(reset));
        assertThat(outcome((q, attempt) -> {
                    throw new StackOverflowError();
                }))
                .isInstanceOf(Outcome.Failed.class);
        assertThat(outcome((q, attempt) -> null))
                .satisfies(outcome -> assertThat(((Outcome.Failed<String>) outcome).cause())
                        .hasMessage("endpoint x returned null instead of a stage"));
        assertThat(outcome((q, attempt) -> {
                    throw new RejectedExecutionException("pool is full");
                }))
                .isEqualTo(new Outcome.Rejected<>("pool is full"));
        assertThat(outcome((q, attempt) -> CompletableFuture.failedFuture(new CancellationException())))
                .isEqualTo(new Outcome.Cancelled<>());
    }

    private Outcome<String> outcome(Call<String, String> call) {
        return Endpoint.create(spindle, "x", call).call("q", in(SECOND)).join();
    }

    @Test
    void call_aStageThatIsNoFuture_isAnswered() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<Outcome<String>> answer = Endpoint.<String, String>create(
                        spindle, "x", (q, attempt) -> stage.minimalCompletionStage())
                .call("q", in(SECOND));
        stage.complete("a");

        assertThat(answer).isCompletedWithValue(new Outcome.Value<>("a"));
    }

    @Test
    void b2_callInTime_isGivenWhatIsLeft() {
        Deadline deadline = in(SECOND);
        simulation.advance(Duration.ofMillis(300));
        endpoint().build().call("q", deadline);

        assertThat(backend.attempts.get(0).deadline().remaining()).isEqualTo(Duration.ofMillis(700));
    }

    @Test
    void b2_limitOfTheEndpoint_givesLessAndNeverMore() {
        Endpoint<String, String> endpoint =
                endpoint().attemptTimeout(Duration.ofMillis(200)).build();
        endpoint.call("q", in(SECOND));
        endpoint.call("q", in(Duration.ofMillis(50)));

        assertThat(backend.attempts.get(0).deadline().remaining()).isEqualTo(Duration.ofMillis(200));
        assertThat(backend.attempts.get(1).deadline().remaining()).isEqualTo(Duration.ofMillis(50));
    }

    @Test
    void b2_noAnswer_timesOutAtTheDeadlineAndNotBefore() {
        CompletableFuture<Outcome<String>> answer = endpoint().build().call("q", in(SECOND));
        simulation.advance(SECOND.minus(MILLI));
        assertThat(answer).isNotDone();
        simulation.advance(MILLI);

        assertThat(answer).isCompletedWithValue(new Outcome.TimedOut<>("endpoint db was not answered in time"));
        assertThat(backend.stage(0)).isCancelled();
    }

    private Breaker breaker() {
        return Breaker.builder(spindle, "db").window(1).minimumCalls(1).build();
    }

    @Test
    void b2_watchedCall_isEndedByItsCallerAtTheDeadline_andCountsAsATimeout() {
        Breaker breaker = breaker();
        Endpoint<String, String> endpoint = endpoint().breaker(breaker).build();
        CompletableFuture<Outcome<String>> answer = endpoint.callWatched("q", in(SECOND));
        simulation.advance(SECOND);
        assertThat(answer).isNotDone();
        answer.cancel(true);

        assertThat(backend.stage(0)).isCancelled();
        assertThat(endpoint.stats().running()).isZero();
        assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
    }

    @Test
    void b4_watchedCall_thatItsCallerCancelsEarlier_countsNeitherWay() {
        Breaker breaker = breaker();
        CompletableFuture<Outcome<String>> answer =
                endpoint().breaker(breaker).build().callWatched("q", in(SECOND));
        simulation.advance(SECOND.minus(MILLI));
        answer.cancel(true);

        assertThat(backend.stage(0)).isCancelled();
        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
    }

    @Test
    void b2_watchedCall_withAnEarlierTimeout_endsByItself() {
        CompletableFuture<Outcome<String>> answer =
                endpoint().attemptTimeout(MILLI).build().callWatched("q", in(SECOND));
        simulation.advance(MILLI);

        assertThat(answer).isCompletedWithValue(new Outcome.TimedOut<>("endpoint db was not answered in time"));
    }

    @Test
    void b2_deadlineUsedUp_isAnsweredAtOnceWithoutACall() {
        Deadline deadline = in(SECOND);
        simulation.advance(SECOND);
        CompletableFuture<Outcome<String>> answer = endpoint().build().call("q", deadline);

        assertThat(answer.join()).isInstanceOf(Outcome.TimedOut.class);
        assertThat(backend.calls()).isZero();
    }

    @Test
    void b2_lessThanTheFloorLeft_isAnsweredAtOnceWithoutACall() {
        Endpoint<String, String> endpoint =
                endpoint().floor(Duration.ofMillis(10)).build();

        assertThat(endpoint.call("q", in(Duration.ofMillis(9))).join()).isInstanceOf(Outcome.TimedOut.class);
        assertThat(backend.calls()).isZero();
        assertThat(endpoint.call("q", in(Duration.ofMillis(10)))).isNotDone();
        assertThat(backend.calls()).isEqualTo(1);
    }

    @Test
    void b1_callerCancels_theCallIsCancelledAtOnce() {
        CompletableFuture<Outcome<String>> answer = endpoint().build().call("q", in(SECOND));
        List<String> cancelled = new ArrayList<>();
        backend.attempts.get(0).onCancel(() -> cancelled.add("hook"));

        assertThat(answer.cancel(true)).isTrue();
        assertThat(backend.stage(0)).isCancelled();
        assertThat(cancelled).containsExactly("hook");
        assertThat(answer).isCancelled();
        backend.attempts.get(0).onCancel(() -> cancelled.add("late hook"));
        assertThat(cancelled).containsExactly("hook", "late hook");
    }

    @Test
    void b1_callerCompletesTheFuture_theCallIsCancelledAndTheValueStays() {
        CompletableFuture<Outcome<String>> first = endpoint().build().call("q", in(SECOND));
        CompletableFuture<Outcome<String>> second = endpoint().build().call("q", in(SECOND));
        CompletableFuture<Outcome<String>> third = endpoint().build().call("q", in(SECOND));
        first.complete(new Outcome.Value<>("own"));
        second.completeExceptionally(new IOException("own"));
        third.obtrudeValue(new Outcome.Value<>("own"));

        assertThat(first.join()).isEqualTo(new Outcome.Value<>("own"));
        assertThat(second).isCompletedExceptionally();
        assertThat(backend.stage(0)).isCancelled();
        assertThat(backend.stage(1)).isCancelled();
        assertThat(backend.stage(2)).isCancelled();
    }

    @Test
    void b1_dependentsCancelled_theCallGoesOn() {
        CompletableFuture<Outcome<String>> answer = endpoint().build().call("q", in(SECOND));
        answer.thenApply(outcome -> outcome).cancel(true);

        assertThat(backend.stage(0)).isNotDone();
    }

    @Test
    void b1_answerAfterTheTimeLimit_reachesNobodyAndIsDiscarded() {
        List<String> discarded = new ArrayList<>();
        CompletableFuture<String> stubborn = new CompletableFuture<>();
        Endpoint<String, String> endpoint = Endpoint.<String, String>builder(
                        spindle, "x", (q, attempt) -> stubborn.minimalCompletionStage())
                .onDiscard(discarded::add)
                .build();
        CompletableFuture<Outcome<String>> answer = endpoint.call("q", in(SECOND));
        simulation.advance(SECOND);
        stubborn.complete("late");

        assertThat(answer.join()).isInstanceOf(Outcome.TimedOut.class);
        assertThat(discarded).containsExactly("late");
    }

    @Test
    void onCancel_callThatEndsByItself_neverRuns() {
        List<String> cancelled = new ArrayList<>();
        endpoint().build().call("q", in(SECOND));
        backend.attempts.get(0).onCancel(() -> cancelled.add("hook"));
        backend.answer(0, "a");
        backend.attempts.get(0).onCancel(() -> cancelled.add("late hook"));

        assertThat(cancelled).isEmpty();
    }

    @Test
    void failureWhen_thatThrows_failsTheCallAndDiscardsTheValue() {
        IllegalStateException broken = new IllegalStateException("broken");
        List<String> discarded = new ArrayList<>();
        CompletableFuture<Outcome<String>> answer = endpoint()
                .failureWhen(outcome -> {
                    throw broken;
                })
                .onDiscard(discarded::add)
                .build()
                .call("q", in(SECOND));
        backend.answer(0, "a");

        assertThat(answer).isCompletedWithValue(new Outcome.Failed<>(broken));
        assertThat(discarded).containsExactly("a");
    }

    @Test
    void from_functionThatThrows_isAFailureWithoutACall() {
        IllegalStateException broken = new IllegalStateException("broken");
        Service<Integer, String> service = endpoint().build().compose(number -> {
            throw broken;
        });

        assertThat(service.call(1, in(SECOND))).isCompletedWithValue(new Outcome.Failed<>(broken));
        assertThat(backend.calls()).isZero();
    }

    @Test
    void shutdown_callsUnderWay_goOnAndLaterOnesAreRejected() {
        Endpoint<String, String> endpoint = endpoint().build();
        CompletableFuture<Outcome<String>> before = endpoint.call("q", in(SECOND));
        spindle.shutdown();
        CompletableFuture<Outcome<String>> after = endpoint.call("q", in(SECOND));
        backend.answer(0, "a");

        assertThat(before).isCompletedWithValue(new Outcome.Value<>("a"));
        assertThat(after.join())
                .isEqualTo(new Outcome.Rejected<>("endpoint db was not called: the spindle is shut down"));
    }

    @Test
    void shutdownNow_callsUnderWay_areRejected() {
        CompletableFuture<Outcome<String>> answer = endpoint().build().call("q", in(SECOND));
        List<Runnable> tasks = spindle.shutdownNow();

        assertThat(tasks).isEmpty(); // no task of the library
        assertThat(answer.join()).isInstanceOf(Outcome.Rejected.class);
        assertThat(backend.stage(0)).isCancelled();
    }

    @Test
    void join_onAWorker_letsAnotherTakeItsPlace() throws Exception {
        try (Spindle one = Spindle.builder().coreThreads(1).maxThreads(8).build()) {
            Endpoint<String, String> endpoint = Endpoint.create(
                    one, "x", (q, attempt) -> one.submit(() -> q + "!")); // on the only core worker, which waits for it
            CompletableFuture<Outcome<String>> joined =
                    one.submit(() -> endpoint.call("a", Deadline.after(one, Duration.ofSeconds(20)))
                            .join());
            CompletableFuture<Outcome<String>> got =
                    one.submit(() -> endpoint.call("b", Deadline.after(one, Duration.ofSeconds(20)))
                            .get());
            CompletableFuture<Outcome<String>> timed =
                    one.submit(() -> endpoint.call("c", Deadline.after(one, Duration.ofSeconds(20)))
                            .get(20, TimeUnit.SECONDS));

            assertThat(joined.get(20, TimeUnit.SECONDS)).isEqualTo(new Outcome.Value<>("a!"));
            assertThat(got.get(20, TimeUnit.SECONDS)).isEqualTo(new Outcome.Value<>("b!"));
            assertThat(timed.get(20, TimeUnit.SECONDS)).isEqualTo(new Outcome.Value<>("c!"));
        }
    }

    @Test
    void build_retriesWithoutRepeatable_isRefused() {
        assertThatThrownBy(() -> endpoint().retries(1).build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has retries, but no idempotent(..)");
    }

    @Test
    void builder_usedAgain_leavesEndpointsAlone() {
        EndpointBuilder<String, String> builder = endpoint();
        Endpoint<String, String> first = builder.build();
        builder.attemptTimeout(MILLI).build();
        first.call("q", in(SECOND));

        assertThat(backend.attempts.get(0).deadline().remaining()).isEqualTo(SECOND);
        assertThat(first.stats().name()).isEqualTo("db");
        assertThat(first).hasToString("endpoint db");
    }
}
