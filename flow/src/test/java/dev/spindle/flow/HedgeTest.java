// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import dev.spindle.flow.internal.Latencies;
import dev.spindle.flow.limit.Limiter;
import dev.spindle.testkit.Simulation;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored") // the tests look at the calls by other means
class HedgeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration TEN = Duration.ofMillis(10);
    private final IOException reset = new IOException("reset");

    private final Simulation simulation = Simulation.inOrder();
    private final Spindle spindle = simulation.spindle();
    private final Backend backend = new Backend();

    @AfterEach
    void close() {
        simulation.close();
    }

    private EndpointBuilder<String, String> endpoint() {
        return Endpoint.builder(spindle, "db", backend).idempotent(q -> true);
    }

    private Deadline in(Duration time) {
        return Deadline.after(spindle, time);
    }

    @Test
    void b3_slowCall_isMadeTwiceAndTheFirstAnswerCounts() {
        CompletableFuture<Outcome<String>> answer =
                endpoint().hedgeAfter(TEN).build().call("q", in(SECOND));
        simulation.advance(TEN.minusNanos(1));
        assertThat(backend.calls()).isEqualTo(1);
        simulation.advance(Duration.ofNanos(1));
        assertThat(backend.calls()).isEqualTo(2);
        assertThat(backend.attempts.get(1).deadline().remaining()).isEqualTo(SECOND.minus(TEN));
        backend.answer(1, "b");

        assertThat(answer).isCompletedWithValue(new Outcome.Value<>("b"));
        assertThat(backend.stage(0)).isCancelled();
    }

    @Test
    void b3_answeredInTime_isNotHedged() {
        endpoint().hedgeAfter(TEN).build().call("q", in(SECOND));
        backend.answer(0, "a");
        simulation.advance(SECOND);

        assertThat(backend.calls()).isEqualTo(1);
    }

    @Test
    void b3_oneOfTwoFails_theOtherIsWaitedFor() {
        CompletableFuture<Outcome<String>> answer =
                endpoint().hedgeAfter(TEN).build().call("q", in(SECOND));
        simulation.advance(TEN);
        backend.fail(0, reset);
        assertThat(answer).isNotDone();
        backend.answer(1, "b");

        assertThat(answer).isCompletedWithValue(new Outcome.Value<>("b"));
    }

    /** The second call is made, ends while its function runs, and only then has a stage to cancel. */
    @Test
    void b1_hedgeThatIsDecidedByItsOwnFunction_isCancelled() {
        List<CompletableFuture<String>> stages = new CopyOnWriteArrayList<>();
        CompletableFuture<Outcome<String>> answer = Endpoint.<String, String>builder(spindle, "db", (q, attempt) -> {
                    CompletableFuture<String> stage = new CompletableFuture<>();
                    stages.add(stage);
                    if (stages.size() == 2) {
                        stages.get(0).complete("a");
                    }
                    return stage;
                })
                .idempotent(request -> true)
                .hedgeAfter(TEN)
                .build()
                .call("q", in(SECOND));
        simulation.advance(TEN);

        assertThat(answer).isCompletedWithValue(new Outcome.Value<>("a"));
        assertThat(stages).hasSize(2);
        assertThat(stages.get(1)).isCancelled();
    }

    @Test
    void b3_allFail_isTheLastFailure() {
        CompletableFuture<Outcome<String>> answer =
                endpoint().hedgeAfter(TEN).build().call("q", in(SECOND));
        simulation.advance(TEN.multipliedBy(3));
        assertThat(backend.calls()).isEqualTo(2); // no second hedge
        IOException last = new IOException("last");
        backend.fail(1, reset);
        backend.fail(0, last);

        assertThat(answer).isCompletedWithValue(new Outcome.Failed<>(last));
    }

    @Test
    void b3_hedgeThatIsLeftWithNothingButARejection_tellsOfTheFailure() {
        CompletableFuture<Outcome<String>> answer =
                endpoint().hedgeAfter(TEN).build().call("q", in(SECOND));
        simulation.advance(TEN);
        backend.fail(0, reset);
        backend.fail(1, new java.util.concurrent.RejectedExecutionException("full"));

        assertThat(answer).isCompletedWithValue(new Outcome.Failed<>(reset));
    }

    @Test
    void b3_commitOfOne_cancelsTheOther() {
        CompletableFuture<Outcome<String>> answer =
                endpoint().hedgeAfter(TEN).retries(1).build().call("q", in(SECOND));
        simulation.advance(TEN);
        assertThat(backend.attempts.get(1).commit()).isTrue();

        assertThat(backend.stage(0)).isCancelled();
        assertThat(backend.attempts.get(0).commit()).isFalse();
        assertThat(answer).isNotDone();
        backend.fail(1, reset);
        assertThat(answer).isCompletedWithValue(new Outcome.Failed<>(reset));
        assertThat(backend.calls()).isEqualTo(2);
    }

    @Test
    void b3_noFreePermit_noHedgeAndNothingOfTheBudget() {
        Bulkhead bulkhead = Bulkhead.create(spindle, "db", Limiter.fixed(1), 10);
        Endpoint<String, String> endpoint =
                endpoint().hedgeAfter(TEN).bulkhead(bulkhead).budget(0, 5).build();
        endpoint.call("q", in(SECOND));
        simulation.advance(TEN);

        assertThat(backend.calls()).isEqualTo(1);
        assertThat(endpoint.budget.available()).isEqualTo(5);
        assertThat(bulkhead.stats().running()).isEqualTo(1);
    }

    @Test
    void b5_hedgedCall_givesBothPermitsBack() {
        Bulkhead bulkhead = Bulkhead.create(spindle, "db", Limiter.fixed(2), 0);
        Endpoint<String, String> endpoint =
                endpoint().hedgeAfter(TEN).bulkhead(bulkhead).build();
        endpoint.call("q", in(SECOND));
        simulation.advance(TEN);
        assertThat(bulkhead.stats().running()).isEqualTo(2);
        backend.answer(0, "a");

        assertThat(bulkhead.stats().running()).isZero();
    }

    @Test
    void b3_percentile_isLearnedFromTheCalls() {
        Endpoint<String, String> endpoint = endpoint().hedgeAtPercentile(0.9).build();
        for (int i = 0; i < 20; i++) { // 18 take 8 ms, two take 80 ms
            endpoint.call("q", in(SECOND));
            assertThat(backend.calls()).isEqualTo(i + 1); // too few to hedge
            simulation.advance(Duration.ofMillis(i < 18 ? 8 : 80));
            backend.answer(i, "a");
        }
        endpoint.call("q", in(SECOND));
        simulation.advance(Duration.ofMillis(7));
        assertThat(backend.calls()).isEqualTo(21);
        simulation.advance(Duration.ofMillis(2)); // an eighth too late at most

        assertThat(backend.calls()).isEqualTo(22);
    }

    @Test
    void b3_losersOfHedges_countAsSlow() {
        Endpoint<String, String> endpoint =
                endpoint().hedgeAtPercentile(0.5).budget(1, 100).build();
        for (int i = 0; i < 20; i++) {
            endpoint.call("q", in(SECOND));
            simulation.advance(Duration.ofMillis(8));
            backend.answer(backend.calls() - 1, "a");
        }
        for (int i = 0; i < 40; i++) { // the first hangs each time, and the hedge answers at once
            endpoint.call("q", in(SECOND));
            int first = backend.calls() - 1;
            simulation.advance(Duration.ofMillis(50));
            assertThat(backend.calls()).isEqualTo(first + 2);
            backend.answer(first + 1, "a");
        }

        assertThat(endpoint.latencies.at(0.9)).isGreaterThanOrEqualTo(50_000_000);
    }

    @Test
    void latencies_manyCalls_forgetOldOnes() {
        Latencies latencies = new Latencies();
        for (int i = 0; i < 5_000; i++) {
            latencies.add(1_000_000);
        }
        assertThat(latencies.at(0.99)).isBetween(1_000_000L, 1_125_000L);
        for (int i = 0; i < 10_000; i++) {
            latencies.add(16_000_000);
        }

        assertThat(latencies.at(0.5)).isBetween(16_000_000L, 18_000_000L);
        assertThat(latencies.at(0.01)).isGreaterThan(15_000_000L);
    }

    @Test
    void latencies_anyTime_isKeptToAnEighth() {
        for (long nanos = 1; nanos > 0 && nanos < Long.MAX_VALUE / 3; nanos = nanos * 3 / 2 + 1) {
            Latencies latencies = new Latencies();
            for (int i = 0; i < 20; i++) {
                latencies.add(nanos);
            }
            assertThat(latencies.at(0.5)).isBetween(nanos, nanos + nanos / 8 + 1);
        }
        Latencies extremes = new Latencies();
        for (int i = 0; i < 20; i++) {
            extremes.add(i % 2 == 0 ? -5 : Long.MAX_VALUE);
        }
        assertThat(extremes.at(0.1)).isZero();
        assertThat(extremes.at(0.9)).isPositive();
    }

    @Test
    void options_outOfRange_areRefused() {
        EndpointBuilder<String, String> builder = endpoint();
        for (double wrong : new double[] {0, 1, -0.5, Double.NaN}) {
            assertThatThrownBy(() -> builder.hedgeAtPercentile(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("percentile must be between 0 and 1, is " + wrong);
        }
        assertThatThrownBy(() -> builder.hedgeAfter(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("delay must be positive, is PT0S");
        assertThatThrownBy(() -> builder.hedgeAfter(TEN).hedgeAtPercentile(0.9).build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("endpoint db has hedgeAfter and hedgeAtPercentile");
    }

    @Test
    void b1_twoAnswersAtOnce_oneIsGivenAndTheOtherDiscarded() throws Exception {
        try (Spindle real = Spindle.builder().coreThreads(2).build()) {
            List<String> seen = new CopyOnWriteArrayList<>();
            CountDownLatch discards = new CountDownLatch(2);
            CountDownLatch answered = new CountDownLatch(1);
            CountDownLatch calls = new CountDownLatch(3);
            Endpoint<String, String> endpoint = Endpoint.<String, String>builder(real, "db", (request, attempt) -> {
                        CompletionStage<String> stage = backend.call(request, attempt);
                        calls.countDown();
                        if (attempt.number() == 0) {
                            backend.answer(0, "503"); // and is made again, then hedged
                        }
                        return stage.toCompletableFuture().minimalCompletionStage(); // cannot be cancelled
                    })
                    .idempotent(q -> true)
                    .retries(1)
                    .backoff(Duration.ofNanos(1), Duration.ofNanos(1))
                    .hedgeAfter(Duration.ofMillis(300)) // not before the first answer
                    .failureWhen(outcome -> outcome.equals(new Outcome.Value<>("503")))
                    .onDiscard(value -> {
                        seen.add(value);
                        discards.countDown();
                        if (value.equals("503")) { // "b" has been taken, and has not reached the caller
                            real.execute(() -> backend.answer(2, "c"));
                            await(discards);
                        } else if (discards.getCount() == 0) {
                            await(answered);
                        }
                    })
                    .build();
            CompletableFuture<Outcome<String>> answer =
                    endpoint.call("q", Deadline.after(real, SECOND.multipliedBy(60)));
            answer.thenAccept(outcome -> {
                seen.add(((Outcome.Value<String>) outcome).value());
                answered.countDown();
            });
            await(calls);
            backend.answer(1, "b");

            await(answered);
            assertThat(seen).containsExactlyInAnyOrder("503", "b", "c");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
