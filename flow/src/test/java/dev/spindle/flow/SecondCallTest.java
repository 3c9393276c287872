// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.flow.internal.Budget;
import dev.spindle.flow.internal.Latencies;
import dev.spindle.flow.limit.Limiter;
import dev.spindle.testkit.Simulation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Retries, hedges, floors and permits in combination. */
@SuppressWarnings("FutureReturnValueIgnored") // the tests look at the calls by other means
class SecondCallTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private final IOException reset = new IOException("reset");

    private final Simulation simulation = Simulation.inOrder();
    private final Spindle spindle = simulation.spindle();
    private final Backend backend = new Backend();

    @AfterEach
    void close() {
        simulation.close();
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    private EndpointBuilder<String, String> endpoint() {
        return plain().idempotent(q -> true).budget(0, 5);
    }

    private EndpointBuilder<String, String> plain() {
        return Endpoint.builder(spindle, "db", backend);
    }

    private Deadline in(Duration time) {
        return Deadline.after(spindle, time);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void b3_oneFailsAndTheOtherIsRejected_isRetriedInEitherOrder(boolean failureFirst) {
        CompletableFuture<Outcome<String>> answer = endpoint()
                .hedgeAfter(millis(10))
                .retries(1)
                .jitter(() -> 0)
                .build()
                .call("q", in(SECOND));
        simulation.advance(millis(10));
        int failing = failureFirst ? 0 : 1;
        for (int i = 0; i < 2; i++) {
            if ((i == 0) == failureFirst) {
                backend.fail(failing, reset);
            } else {
                backend.fail(1 - failing, new RejectedExecutionException("full"));
            }
        }
        simulation.run();
        assertThat(backend.calls()).isEqualTo(3);
        backend.answer(2, "a");

        assertThat(answer).isCompletedWithValue(new Outcome.Value<>("a"));
    }

    @Test
    void b3_twoRejections_areNotRetried() {
        CompletableFuture<Outcome<String>> answer = endpoint()
                .hedgeAfter(millis(10))
                .retries(1)
                .jitter(() -> 0)
                .build()
                .call("q", in(SECOND));
        simulation.advance(millis(10));
        backend.fail(0, new RejectedExecutionException("full"));
        backend.fail(1, new RejectedExecutionException("full"));
        simulation.run();

        assertThat(answer).isCompletedWithValue(new Outcome.Rejected<>("full"));
        assertThat(backend.calls()).isEqualTo(2);
    }

    @Test
    void b3_hedgeWhoseTimeFallsIntoThePauseOfARetry_comesAfterTheRetry() {
        Endpoint<String, String> endpoint = endpoint()
                .hedgeAfter(millis(50))
                .retries(1)
                .backoff(millis(100), SECOND)
                .jitter(() -> 1)
                .build();
        CompletableFuture<Outcome<String>> answer = endpoint.call("q", in(SECOND));
        simulation.advance(millis(40));
        backend.fail(0, reset);
        simulation.advance(millis(100)); // at 140 ms it is retried
        assertThat(backend.calls()).isEqualTo(2);
        simulation.advance(millis(49));
        assertThat(backend.calls()).isEqualTo(2);
        simulation.advance(millis(1));
        assertThat(backend.calls()).isEqualTo(3);
        backend.answer(2, "a");

        assertThat(answer).isCompletedWithValue(new Outcome.Value<>("a"));
        assertThat(endpoint.budget.available()).isEqualTo(3);
    }

    @Test
    void b3_hedgeWhoseTimeComesAfterThePause_countsFromTheRetryToo() {
        endpoint()
                .hedgeAfter(millis(50))
                .retries(1)
                .backoff(millis(10), SECOND)
                .jitter(() -> 1)
                .build()
                .call("q", in(SECOND));
        simulation.advance(millis(20));
        backend.fail(0, reset);
        simulation.advance(millis(59));
        assertThat(backend.calls()).isEqualTo(2);
        simulation.advance(millis(1));

        assertThat(backend.calls()).isEqualTo(3);
    }

    @Test
    void b3_hedgesOfAllAttemptsTogether_areNoMoreThanStated() {
        endpoint()
                .attemptTimeout(millis(100))
                .hedgeAfter(millis(10))
                .retries(2)
                .jitter(() -> 0)
                .build()
                .call("q", in(SECOND));
        simulation.advance(SECOND);

        assertThat(backend.calls()).isEqualTo(4); // with two retries and one hedge
    }

    @Test
    void b2_lessThanTheFloorLeftAfterTheWaitForAPermit_isNoCall() {
        Bulkhead bulkhead = Bulkhead.create(spindle, "db", Limiter.fixed(1), 5);
        Breaker breaker =
                Breaker.builder(spindle, "db").window(1).minimumCalls(1).build();
        Permit permit = requireNonNull(bulkhead.tryAcquire());
        Endpoint<String, String> endpoint =
                plain().floor(millis(100)).bulkhead(bulkhead).breaker(breaker).build();
        CompletableFuture<Outcome<String>> answer = endpoint.call("q", in(millis(150)));
        CompletableFuture<Outcome<String>> enough = endpoint.call("q", in(millis(151)));
        simulation.advance(millis(51));
        permit.ignore();
        simulation.run();

        assertThat(answer.join())
                .isEqualTo(new Outcome.TimedOut<>("endpoint db was not called: too little of the deadline was left"));
        assertThat(backend.calls()).isEqualTo(1);
        assertThat(backend.attempts.get(0).deadline().remaining()).isEqualTo(millis(100));
        assertThat(enough).isNotDone();
        assertThat(bulkhead.stats().running()).isEqualTo(1);
        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
    }

    @Test
    void b2_lessThanTheFloorLeftOfTheLimit_isNoCall() {
        Bulkhead bulkhead = Bulkhead.create(spindle, "db", Limiter.fixed(1), 5);
        Permit permit = requireNonNull(bulkhead.tryAcquire());
        Endpoint<String, String> endpoint = plain().floor(millis(100))
                .attemptTimeout(millis(150))
                .bulkhead(bulkhead)
                .build();
        CompletableFuture<Outcome<String>> answer = endpoint.call("q", in(SECOND));
        simulation.advance(millis(51));
        permit.ignore();
        simulation.run();

        assertThat(answer.join()).isInstanceOf(Outcome.TimedOut.class);
        assertThat(backend.calls()).isZero();
    }

    @Test
    void b2_limitBelowTheFloor_isNoReasonToRefuse() {
        Endpoint<String, String> endpoint =
                plain().floor(millis(100)).attemptTimeout(millis(50)).build();

        assertThat(endpoint.call("q", in(SECOND))).isNotDone();
        assertThat(backend.calls()).isEqualTo(1);
        assertThat(endpoint.call("q", in(millis(99))).join()).isInstanceOf(Outcome.TimedOut.class);
    }

    @Test
    void b3_lessThanTheFloorLeftForAHedge_isNoHedge() {
        Endpoint<String, String> endpoint =
                endpoint().floor(millis(100)).hedgeAfter(millis(50)).build();
        endpoint.call("q", in(millis(149)));
        simulation.advance(millis(149));
        assertThat(backend.calls()).isEqualTo(1);
        assertThat(endpoint.budget.available()).isEqualTo(5);
        endpoint.call("q", in(millis(150)));
        simulation.advance(millis(149));

        assertThat(backend.calls()).isEqualTo(3);
    }

    @Test
    void b3_lessThanTheFloorLeftForARetry_isNoRetry() {
        Endpoint<String, String> endpoint = endpoint()
                .floor(millis(100))
                .retries(1)
                .backoff(millis(50), SECOND)
                .jitter(() -> 1)
                .build();
        CompletableFuture<Outcome<String>> answer = endpoint.call("q", in(millis(149)));
        backend.fail(0, reset);
        assertThat(answer).isCompletedWithValue(new Outcome.Failed<>(reset));
        assertThat(endpoint.budget.available()).isEqualTo(5);
        endpoint.call("q", in(millis(150)));
        backend.fail(1, reset);
        simulation.advance(millis(50));

        assertThat(backend.calls()).isEqualTo(3);
    }

    @Test
    void b3_retryThatHadToWaitForItsPermitTooLong_isTheFailureBefore() {
        Bulkhead bulkhead = Bulkhead.create(spindle, "db", Limiter.fixed(1), 5);
        Endpoint<String, String> endpoint = endpoint()
                .floor(millis(100))
                .retries(1)
                .jitter(() -> 0)
                .bulkhead(bulkhead)
                .build();
        CompletableFuture<Outcome<String>> answer = endpoint.call("q", in(millis(150)));
        Endpoint.builder(spindle, "other", backend).bulkhead(bulkhead).build().call("other", in(SECOND));
        backend.fail(0, reset); // the other call gets the permit
        simulation.advance(millis(60));
        backend.answer(1, "a");
        simulation.run();

        assertThat(answer).isCompletedWithValue(new Outcome.Failed<>(reset));
        assertThat(backend.calls()).isEqualTo(2);
        assertThat(bulkhead.stats().running()).isZero();
    }

    @Test
    void b5_cancelledBetweenGettingAndKeepingAPermit_givesItBack() {
        AtomicBoolean armed = new AtomicBoolean();
        List<CompletableFuture<?>> calls = new ArrayList<>();
        Limiter cancels = new Limiter() {
            @Override
            public int maxConcurrency(long nanoTime) {
                if (armed.getAndSet(false)) {
                    calls.get(calls.size() - 1).cancel(true); // while a retry is being given a permit
                }
                return 1;
            }

            @Override
            public void ended(Sample sample) {}
        };
        Bulkhead bulkhead = Bulkhead.create(spindle, "db", cancels, 5);
        Endpoint<String, String> endpoint =
                endpoint().retries(1).jitter(() -> 0).bulkhead(bulkhead).build();
        calls.add(endpoint.call("q", in(SECOND)));
        backend.fail(0, reset);
        armed.set(true);
        simulation.run();
        assertThat(calls.get(0)).isCancelled();
        assertThat(backend.calls()).isEqualTo(1);
        assertThat(bulkhead.stats().running()).isZero();

        Permit permit = requireNonNull(bulkhead.tryAcquire());
        calls.add(endpoint.call("q", in(SECOND)));
        armed.set(true);
        permit.ignore(); // and while a call that waited is
        simulation.run();
        assertThat(calls.get(1)).isCancelled();
        assertThat(bulkhead.stats().running()).isZero();
        assertThat(bulkhead.stats().pending()).isZero();
    }

    @Test
    void b5_hedgeThatIsNotNeededWhenItHasItsPermit_givesItBack() {
        AtomicBoolean armed = new AtomicBoolean();
        Limiter answers = new Limiter() {
            @Override
            public int maxConcurrency(long nanoTime) {
                if (armed.getAndSet(false)) {
                    backend.answer(0, "a");
                }
                return 2;
            }

            @Override
            public void ended(Sample sample) {}
        };
        Bulkhead bulkhead = Bulkhead.create(spindle, "db", answers, 5);
        Endpoint<String, String> endpoint =
                endpoint().hedgeAfter(millis(10)).bulkhead(bulkhead).build();
        CompletableFuture<Outcome<String>> answer = endpoint.call("q", in(SECOND));
        armed.set(true);
        simulation.advance(millis(10));

        assertThat(answer).isCompletedWithValue(new Outcome.Value<>("a"));
        assertThat(backend.calls()).isEqualTo(1);
        assertThat(bulkhead.stats().running()).isZero();
        assertThat(endpoint.budget.available()).isEqualTo(5);
    }

    @Test
    void b3_answersThatLaterOnesReplace_areDiscardedOnceEach() {
        List<String> discarded = new ArrayList<>();
        CompletableFuture<Outcome<String>> answer = endpoint()
                .hedgeAfter(millis(10))
                .retries(1)
                .jitter(() -> 0)
                .failureWhen(outcome -> !outcome.equals(new Outcome.Value<>("200")))
                .onDiscard(discarded::add)
                .build()
                .call("q", in(SECOND));
        simulation.advance(millis(10));
        backend.answer(0, "503");
        assertThat(discarded).isEmpty();
        backend.answer(1, "504");
        assertThat(discarded).containsExactly("503");
        simulation.run();
        backend.answer(2, "505");

        assertThat(answer).isCompletedWithValue(new Outcome.Value<>("505")); // the last one
        assertThat(discarded).containsExactly("503", "504");
    }

    @Test
    void b3_endpointsOfOneBuilder_haveABudgetEach() {
        EndpointBuilder<String, String> builder = Endpoint.builder(spindle, "db", backend)
                .idempotent(q -> true)
                .retries(1)
                .jitter(() -> 0);
        Endpoint<String, String> first = builder.build();
        Endpoint<String, String> second = builder.build();
        for (int i = 0; i < 30; i++) {
            first.call("q", in(SECOND));
            backend.fail(backend.calls() - 1, reset);
            simulation.run();
        }
        int before = backend.calls();
        second.call("q", in(SECOND));
        backend.fail(before, reset);
        simulation.run();

        assertThat(first.budget.available()).isZero();
        assertThat(backend.calls()).isEqualTo(before + 2);
    }

    @Test
    void budget_thatIsTakenBack_isNoMoreThanItWas() {
        Budget full = new Budget(1, 2);
        assertThat(full.tryTake()).isTrue();
        full.called();
        full.untake();
        assertThat(full.available()).isEqualTo(2);
        Budget tenth = new Budget(0.1, 1);
        assertThat(tenth.tryTake()).isTrue();
        for (int i = 0; i < 9; i++) {
            tenth.called();
            assertThat(tenth.tryTake()).isFalse();
        }
        tenth.called();
        assertThat(tenth.tryTake()).isTrue();
    }

    @Test
    void b3_hedgeAndRetryOfACallThatIsNoLongerOpen_takeNothingOfTheBudget() {
        Endpoint<String, String> endpoint =
                endpoint().hedgeAfter(millis(10)).retries(1).jitter(() -> 1).build();
        endpoint.call("q", in(SECOND));
        backend.answer(0, "a");
        endpoint.call("q", in(SECOND)).cancel(true);
        simulation.advance(SECOND);

        assertThat(backend.calls()).isEqualTo(2);
        assertThat(endpoint.budget.available()).isEqualTo(5);
    }

    @Test
    void latencies_slowCallsOfLongAgo_areForgotten() {
        for (double percentile : new double[] {0.95, 0.98, 0.99}) {
            Latencies latencies = new Latencies();
            for (int i = 0; i < 56; i++) {
                latencies.add((i + 1) * 500_000_000L);
            }
            assertThat(latencies.at(percentile)).isGreaterThan(20_000_000_000L);
            for (int i = 0; i < Latencies.WINDOW; i++) {
                latencies.add(10_000_000);
            }
            assertThat(latencies.at(percentile)).isBetween(10_000_000L, 11_300_000L);
        }
    }

    @Test
    void latencies_ofTheLastThousandCalls_haveThePercentile() {
        Latencies latencies = new Latencies();
        for (int i = 0; i < 3 * Latencies.WINDOW; i++) {
            latencies.add(i % 100 < 3 ? 1_000_000_000 : 10_000_000); // three of a hundred are slow
        }

        assertThat(latencies.at(0.96)).isBetween(10_000_000L, 11_300_000L);
        assertThat(latencies.at(0.98)).isGreaterThanOrEqualTo(1_000_000_000L);
    }
}
