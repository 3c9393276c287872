// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.testkit.Simulation;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** B1 and U1: the methods of users' values, services and throwables do not change an outcome, even if they throw. */
@SuppressWarnings("FutureReturnValueIgnored") // the tests look at the calls by other means
class UserCodeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Simulation simulation = Simulation.inOrder();
    private final Spindle spindle = simulation.spindle();
    private final CompletableFuture<Object> never = new CompletableFuture<>();

    @AfterEach
    void close() {
        simulation.close();
    }

    private static final class Mute {
        @Override
        public String toString() {
            throw new IllegalStateException("asked for its string");
        }
    }

    private static final class MuteService implements Service<String, Object> {
        private final @Nullable CompletableFuture<Outcome<Object>> answer;

        MuteService(@Nullable CompletableFuture<Outcome<Object>> answer) {
            this.answer = answer;
        }

        @Override
        @SuppressWarnings("NullAway") // one of the faults
        public CompletableFuture<Outcome<Object>> call(String request, Deadline deadline) {
            return answer;
        }

        @Override
        public String toString() {
            throw new IllegalStateException("asked for its string");
        }
    }

    private Endpoint<String, Object> answering(CompletableFuture<?> stage) {
        return Endpoint.create(spindle, "db", (q, attempt) -> stage.thenApply(value -> (Object) value));
    }

    private Deadline deadline() {
        return Deadline.after(spindle, SECOND);
    }

    @Test
    void b1_policyNotMetWithValuesThatHaveNoString_failsAtOnce() {
        CompletableFuture<Object> late = new CompletableFuture<>();
        ScatterGatherBuilder<String> builder = ScatterGather.builder();
        builder.add(answering(CompletableFuture.completedFuture(new Mute())));
        builder.add(answering(late));
        CompletableFuture<Outcome<Gathered>> answer = builder.build().call("q", deadline());
        late.completeExceptionally(new IllegalArgumentException("broken"));

        assertThat(((Outcome.Failed<Gathered>) answer.join()).cause())
                .hasMessage("needed 2 values, got 1: [1 Value, 1 Failed (java.lang.IllegalArgumentException)]");
    }

    @Test
    void b1_policyNotMetWithLargeValues_hasAShortMessage() {
        ScatterGatherBuilder<String> builder = ScatterGather.builder();
        builder.add(answering(CompletableFuture.completedFuture(Collections.nCopies(3_000_000, "x"))));
        for (int i = 0; i < 1_000; i++) {
            builder.add(answering(never));
        }
        CompletableFuture<Outcome<Gathered>> answer = builder.build().call("q", deadline());
        simulation.advance(SECOND);

        assertThat(((Outcome.Failed<Gathered>) answer.join()).cause().getMessage())
                .hasSizeLessThan(200)
                .endsWith("[1 Value, 1000 TimedOut]");
    }

    @Test
    void u1_serviceThatHasNoString_isNotAsked() {
        ScatterGatherBuilder<String> builder = ScatterGather.<String>builder().bestEffort();
        builder.add(new MuteService(new CompletableFuture<>()));
        builder.add(new MuteService(null));
        builder.add(new MuteService(new CompletableFuture<>()).within(Duration.ofHours(1)));
        CompletableFuture<Outcome<Gathered>> gathered = builder.build().call("q", deadline());
        CompletableFuture<Outcome<Object>> stubborn = new CompletableFuture<>();
        CompletableFuture<Outcome<Object>> chain = new MuteService(stubborn)
                .<String>compose(q -> q)
                .andThen(new MuteService(new CompletableFuture<>()).<Object>compose(q -> "q"))
                .call("q", deadline());
        simulation.advance(SECOND);
        stubborn.complete(new Outcome.Value<>("x"));

        List<Outcome<?>> outcomes = gathered.join().orThrow().outcomes();
        assertThat(outcomes.get(0)).isInstanceOf(Outcome.TimedOut.class);
        assertThat(outcomes.get(1)).isInstanceOf(Outcome.Failed.class);
        assertThat(outcomes.get(2)).isInstanceOf(Outcome.TimedOut.class);
        assertThat(chain.join()).isInstanceOf(Outcome.TimedOut.class);
    }

    private static final class Rude extends TimeoutException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("asked for its message");
        }
    }

    private static final class OwnCause extends CompletionException {
        private static final long serialVersionUID = 1;
        private final boolean throwing;

        OwnCause(boolean throwing) {
            this.throwing = throwing;
        }

        @Override
        public synchronized Throwable getCause() {
            if (throwing) {
                throw new IllegalStateException("asked for its cause");
            }
            return this;
        }
    }

    @Test
    void b1_throwablesThatMisbehave_areOutcomes() {
        for (boolean throwing : new boolean[] {false, true}) {
            OwnCause cause = new OwnCause(throwing);
            assertThat(Endpoint.<String, Object>create(
                                    spindle, "db", (q, attempt) -> CompletableFuture.failedFuture(cause))
                            .call("q", deadline())
                            .join())
                    .isEqualTo(new Outcome.Failed<>(cause));
        }
        assertThat(Endpoint.<String, Object>create(
                                spindle, "db", (q, attempt) -> CompletableFuture.failedFuture(new Rude()))
                        .call("q", deadline())
                        .join())
                .isEqualTo(new Outcome.TimedOut<>("timed out"));
        assertThat(Outcome.ofThrown(new RejectedExecutionException())).isEqualTo(new Outcome.Rejected<>("rejected"));
    }

    @Test
    void b5_shutdownNow_servicesOfUsersThatNeverAnswer_areRejected() {
        ScatterGatherBuilder<String> builder = ScatterGather.<String>builder().bestEffort();
        builder.add(new MuteService(new CompletableFuture<>()));
        CompletableFuture<Outcome<Gathered>> gathered = builder.build().call("q", deadline());
        CompletableFuture<Outcome<Object>> chain = new MuteService(new CompletableFuture<>())
                .andThen((Service<Object, Object>) (q, d) -> never.thenApply(Outcome.Value::new))
                .call("q", deadline());
        spindle.shutdownNow();

        assertThat(gathered.join().orThrow().outcomes().get(0)).isInstanceOf(Outcome.Rejected.class);
        assertThat(chain.join()).isInstanceOf(Outcome.Rejected.class);
    }
}
