// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import dev.spindle.testkit.Simulation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored") // the tests look at the calls by other means
class RetryTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration NANO = Duration.ofNanos(1);
    private final IOException reset = new IOException("reset");
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

    /** With pauses of exactly 100 ms, 200 ms and so on. */
    private EndpointBuilder<String, String> twice() {
        return endpoint()
                .idempotent(q -> true)
                .retries(2)
                .backoff(Duration.ofMillis(100), SECOND)
                .jitter(() -> 1);
    }

    private Deadline in(Duration time) {
        return Deadline.after(spindle, time);
    }

    @Test
    void b3_failure_isRetriedAfterAPauseThatDoubles() {
        CompletableFuture<Outcome<String>> answer = twice().build().call("q", in(SECOND));
        backend.fail(0, reset);
        simulation.advance(Duration.ofMillis(99));
        assertThat(backend.calls()).isEqualTo(1);
        simulation.advance(Duration.ofMillis(1));
        assertThat(backend.calls()).isEqualTo(2);
        assertThat(backend.attempts.get(1).number()).isEqualTo(1);
        assertThat(backend.attempts.get(1).deadline().remaining()).isEqualTo(Duration.ofMillis(900));
        backend.fail(1, reset);
        simulation.advance(Duration.ofMillis(200));
        backend.answer(2, "a");

        assertThat(answer).isCompletedWithValue(new Outcome.Value<>("a"));
    }

    @Test
    void b3_moreFailuresThanRetries_isTheLastFailure() {
        CompletableFuture<Outcome<String>> answer = twice().build().call("q", in(SECOND));
        IOException last = new IOException("last");
        for (int i = 0; i < 3; i++) {
            backend.fail(i, i == 2 ? last : reset);
            simulation.advance(Duration.ofMillis(200));
        }

        assertThat(answer).isCompletedWithValue(new Outcome.Failed<>(last));
        assertThat(backend.calls()).isEqualTo(3);
    }

    @Test
    void b3_requestThatIsNotRepeatable_isCalledOnce() {
        Endpoint<String, String> endpoint = twice().idempotent(request -> request.startsWith("get"))
                .hedgeAfter(Duration.ofMillis(1))
                .build();
        CompletableFuture<Outcome<String>> put = endpoint.call("put", in(SECOND));
        simulation.advance(Duration.ofMillis(500));
        backend.fail(0, reset);
        simulation.advance(Duration.ofMillis(100));

        assertThat(put).isCompletedWithValue(new Outcome.Failed<>(reset));
        assertThat(backend.calls()).isEqualTo(1);
    }

    @Test
    void b3_predicateThatThrows_failsTheCallAndMakesNone() {
        IllegalStateException broken = new IllegalStateException("broken");
        Endpoint<String, String> endpoint = endpoint()
                .idempotent(request -> {
                    throw broken;
                })
                .retries(2)
                .build();

        assertThat(endpoint.call("q", in(SECOND))).isCompletedWithValue(new Outcome.Failed<>(broken));
        assertThat(backend.calls()).isZero();
    }

    @Test
    void b3_retryThatWouldComeAfterTheDeadline_isNotWaitedFor() {
        CompletableFuture<Outcome<String>> answer = twice().build().call("q", in(Duration.ofMillis(100)));
        backend.fail(0, reset);

        assertThat(answer).isCompletedWithValue(new Outcome.Failed<>(reset));
    }

    @Test
    void b3_attemptThatHangs_isGivenUpAtItsLimitAndRetried() {
        CompletableFuture<Outcome<String>> answer =
                twice().attemptTimeout(Duration.ofMillis(300)).build().call("q", in(SECOND));
        simulation.advance(Duration.ofMillis(400));
        assertThat(backend.stage(0)).isCancelled();
        assertThat(backend.calls()).isEqualTo(2);
        backend.answer(1, "a");

        assertThat(answer).isCompletedWithValue(new Outcome.Value<>("a"));
    }

    @Test
    void b3_budget_isATenthOfTheCallsAndTenBeyond() {
        Endpoint<String, String> endpoint =
                endpoint().idempotent(q -> true).retries(1).jitter(() -> 0.001).build();
        for (int i = 0; i < 300; i++) {
            CompletableFuture<Outcome<String>> answer = endpoint.call("q", in(SECOND));
            backend.fail(backend.calls() - 1, reset);
            simulation.advance(Duration.ofMillis(1));
            if (!answer.isDone()) {
                backend.fail(backend.calls() - 1, reset);
            }
            assertThat(answer).isDone();
        }

        // The first call of all finds the budget full, and adds nothing.
        assertThat(backend.calls()).isBetween(300 + 30 + 9, 300 + 30 + 10);
    }

    @Test
    void b3_budget_isOneForRetriesAndHedges() {
        Endpoint<String, String> endpoint =
                twice().hedgeAfter(Duration.ofMillis(1)).budget(0, 1).build();
        CompletableFuture<Outcome<String>> answer = endpoint.call("q", in(SECOND));
        simulation.advance(Duration.ofMillis(1));
        assertThat(backend.calls()).isEqualTo(2);
        assertThat(endpoint.budget.available()).isZero();
        backend.fail(0, reset);
        backend.fail(1, reset);

        assertThat(answer).isCompletedWithValue(new Outcome.Failed<>(reset));
        endpoint.call("q", in(SECOND));
        simulation.advance(Duration.ofMillis(1));
        assertThat(backend.calls()).isEqualTo(3);
    }

    @Test
    void b3_committedAnswer_isNeverRetriedOrHedged() {
        CompletableFuture<Outcome<String>> answer =
                twice().hedgeAfter(Duration.ofMillis(10)).build().call("q", in(SECOND));
        assertThat(backend.attempts.get(0).commit()).isTrue();
        assertThat(backend.attempts.get(0).commit()).isTrue();
        simulation.advance(Duration.ofMillis(100));
        assertThat(backend.calls()).isEqualTo(1);
        backend.fail(0, reset);

        assertThat(answer).isCompletedWithValue(new Outcome.Failed<>(reset));
        assertThat(backend.attempts.get(0).commit()).isFalse();
    }

    @Test
    void b3_rejections_areNotRetried() {
        CompletableFuture<Outcome<String>> answer = twice().build().call("q", in(SECOND));
        backend.fail(0, new java.util.concurrent.RejectedExecutionException("full"));

        assertThat(answer).isCompletedWithValue(new Outcome.Rejected<>("full"));
    }

    @Test
    void b3_valueThatIsAFailure_isRetriedAndDiscarded() {
        List<String> discarded = new ArrayList<>();
        CompletableFuture<Outcome<String>> answer = twice().failureWhen(
                        outcome -> outcome.equals(new Outcome.Value<>("503")))
                .onDiscard(discarded::add)
                .build()
                .call("q", in(SECOND));
        backend.answer(0, "503");
        simulation.advance(Duration.ofMillis(100));
        backend.answer(1, "200");

        assertThat(answer).isCompletedWithValue(new Outcome.Value<>("200"));
        assertThat(discarded).containsExactly("503");
    }

    @Test
    void b1_valueThatWaitsForItsRetryAndIsNotNeeded_isDiscarded() {
        List<String> discarded = new ArrayList<>();
        CompletableFuture<Outcome<String>> answer = twice().failureWhen(outcome -> true)
                .onDiscard(discarded::add)
                .build()
                .call("q", in(SECOND));
        backend.answer(0, "503");
        answer.cancel(true);

        assertThat(discarded).containsExactly("503");
    }

    @Test
    void b3_callerCancelsDuringThePause_thereIsNoRetry() {
        CompletableFuture<Outcome<String>> answer = twice().build().call("q", in(SECOND));
        backend.fail(0, reset);
        answer.cancel(true);
        simulation.advance(SECOND);

        assertThat(backend.calls()).isEqualTo(1);
    }

    @Test
    void b5_shutdownNowDuringThePause_endsTheCallWithItsFailure() {
        CompletableFuture<Outcome<String>> answer = twice().build().call("q", in(SECOND));
        backend.fail(0, reset);
        spindle.shutdownNow();

        assertThat(answer).isCompletedWithValue(new Outcome.Failed<>(reset));
        assertThat(backend.calls()).isEqualTo(1);
    }

    @Test
    void b5_shutdownDuringThePause_endsTheCallWithItsFailureWhenTheRetryIsDue() {
        CompletableFuture<Outcome<String>> answer = twice().build().call("q", in(SECOND));
        backend.fail(0, reset);
        spindle.shutdown();
        simulation.advance(SECOND);

        assertThat(answer).isCompletedWithValue(new Outcome.Failed<>(reset));
        assertThat(backend.calls()).isEqualTo(1);
    }

    @Test
    void options_outOfRange_areRefusedWithTheValue() {
        EndpointBuilder<String, String> builder = endpoint();
        assertThatThrownBy(() -> builder.retries(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is -1");
        assertThatThrownBy(() -> builder.backoff(SECOND, Duration.ofMillis(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT1S");
        assertThatThrownBy(() -> builder.budget(1.5, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1.5");
        assertThatThrownBy(() -> builder.budget(0.5, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is 0");
    }

    @Test
    void retriesOfTwo_areThreeAttempts() {
        endpoint().idempotent(q -> true).retries(2).backoff(NANO, NANO).build().call("q", in(SECOND));
        for (int i = 0; i < 3; i++) {
            backend.fail(i, reset);
            simulation.run();
        }

        assertThat(backend.calls()).isEqualTo(3);
    }
}
