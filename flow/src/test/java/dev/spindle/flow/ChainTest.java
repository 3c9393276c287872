// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static org.assertj.core.api.Assertions.assertThat;

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
class ChainTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Simulation simulation = Simulation.inOrder();
    private final Spindle spindle = simulation.spindle();
    private final Backend a = new Backend();
    private final Backend b = new Backend();
    private final List<String> discarded = new ArrayList<>();
    private final Service<String, String> chain = Endpoint.builder(spindle, "a", a)
            .onDiscard(discarded::add)
            .build()
            .andThen(Endpoint.builder(spindle, "b", b)
                    .onDiscard(discarded::add)
                    .build()
                    .within(Duration.ofMillis(300)));

    @AfterEach
    void close() {
        simulation.close();
    }

    private CompletableFuture<Outcome<String>> call() {
        return chain.call("q", Deadline.after(spindle, SECOND));
    }

    @Test
    void b1_steps_goOneAfterAnotherWithTheAnswerBefore() {
        CompletableFuture<Outcome<String>> answer = call();
        assertThat(b.calls()).isZero();
        a.answer(0, "x");
        assertThat(b.requests).containsExactly("x");
        b.answer(0, "y");

        assertThat(answer).isCompletedWithValue(new Outcome.Value<>("y"));
        assertThat(chain).hasToString("endpoint a, then endpoint b");
    }

    @Test
    void b1_stepWithoutAValue_endsItAndCallsNobodyElse() {
        IOException reset = new IOException("reset");
        CompletableFuture<Outcome<String>> answer = call();
        a.fail(0, reset);

        assertThat(answer).isCompletedWithValue(new Outcome.Failed<>(reset));
        assertThat(b.calls()).isZero();
    }

    @Test
    void b2_secondStep_isGivenWhatTheFirstLeft() {
        call();
        simulation.advance(Duration.ofMillis(800));
        a.answer(0, "x");

        assertThat(b.attempts.get(0).deadline().remaining()).isEqualTo(Duration.ofMillis(200));
    }

    @Test
    void b2_stepWithALimitOfItsOwn_isGivenNoMore() {
        CompletableFuture<Outcome<String>> answer = call();
        a.answer(0, "x");
        assertThat(b.attempts.get(0).deadline().remaining()).isEqualTo(Duration.ofMillis(300));
        simulation.advance(Duration.ofMillis(300));

        assertThat(answer.join()).isInstanceOf(Outcome.TimedOut.class);
    }

    @Test
    void b2_nothingLeftAfterTheFirst_isAnsweredWithoutTheSecond() {
        CompletableFuture<String> stubborn = new CompletableFuture<>();
        Deadline deadline = Deadline.after(spindle, SECOND);
        Service<String, String> late = (q, d) -> stubborn.thenApply(Outcome.Value::new);
        CompletableFuture<Outcome<String>> answer =
                late.andThen(Endpoint.create(spindle, "b", b)).call("q", deadline);
        simulation.advance(SECOND);
        stubborn.complete("x");

        assertThat(answer.join()).isInstanceOf(Outcome.TimedOut.class);
        assertThat(b.calls()).isZero();
    }

    @Test
    void b2_stepThatBlocksPastTheDeadline_hasItsAnswerAndItsCallCancelled() {
        CompletableFuture<Outcome<String>> late = new CompletableFuture<>();
        Service<String, String> blocking = (q, d) -> {
            simulation.advance(SECOND);
            return late;
        };
        CompletableFuture<Outcome<String>> answer =
                blocking.andThen(Endpoint.create(spindle, "b", b)).call("q", Deadline.after(spindle, SECOND));

        assertThat(answer.getNow(new Outcome.Cancelled<>())).isInstanceOf(Outcome.TimedOut.class);
        assertThat(late).isCancelled();
    }

    @Test
    void b1_callerCancels_theStepUnderWayIsCancelled() {
        CompletableFuture<Outcome<String>> first = call();
        first.cancel(true);
        assertThat(first).isCancelled();
        assertThat(a.stage(0)).isCancelled();
        CompletableFuture<Outcome<String>> second = call();
        a.answer(1, "x");
        second.cancel(true);

        assertThat(second).isCancelled();
        assertThat(b.stage(0)).isCancelled();
        assertThat(discarded).isEmpty();
    }

    @Test
    void b1_cancelledWhileTheFirstAnswers_theSecondIsNotCalledAndTheAnswerDiscarded() {
        List<String> thrownAway = new ArrayList<>();
        CompletableFuture<Outcome<String>> uncancellable = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                return false;
            }
        };
        Service<String, String> stubborn = new Service<>() {
            @Override
            public CompletableFuture<Outcome<String>> call(String request, Deadline deadline) {
                return uncancellable;
            }

            @Override
            public void discard(String answer) {
                thrownAway.add(answer);
            }
        };
        CompletableFuture<Outcome<String>> answer =
                stubborn.andThen(Endpoint.create(spindle, "b", b)).call("q", Deadline.after(spindle, SECOND));
        answer.cancel(true);
        uncancellable.complete(new Outcome.Value<>("x"));

        assertThat(answer).isCancelled();
        assertThat(b.calls()).isZero();
        assertThat(thrownAway).containsExactly("x");
    }

    @Test
    void discard_ofAllWrappers_reachesTheEndpoint() {
        chain.discard("1");
        chain.within(SECOND).discard("2");
        chain.<String>compose(q -> q).discard("3");

        assertThat(discarded).containsExactly("1", "2", "3");
        assertThat(chain.within(SECOND).<String>compose(q -> q)).hasToString("endpoint a, then endpoint b");
    }
}
