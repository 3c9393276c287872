// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import dev.spindle.Stats;
import dev.spindle.flow.limit.Limiter;
import dev.spindle.testkit.Simulation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored") // the tests look at the calls by other means
class BreakerTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private final IOException reset = new IOException("reset");

    private final Simulation simulation = Simulation.inOrder();
    private final Spindle spindle = simulation.spindle();
    private final Backend backend = new Backend();
    private final Breaker breaker = Breaker.builder(spindle, "db")
            .window(4)
            .minimumCalls(2)
            .failureShare(0.5)
            .openFor(SECOND)
            .trials(2)
            .build();

    @AfterEach
    void close() {
        simulation.close();
    }

    private CompletableFuture<Outcome<String>> call() {
        return Endpoint.builder(spindle, "db", backend)
                .breaker(breaker)
                .attemptTimeout(Duration.ofMillis(100))
                .build()
                .call("q", Deadline.after(spindle, SECOND));
    }

    private void open() {
        for (int i = 0; i < 2; i++) {
            call();
            backend.fail(backend.calls() - 1, reset);
        }
        assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
    }

    @Test
    void b4_enoughFailures_openAndRejectWithoutACall() {
        call();
        backend.fail(0, reset);
        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED); // too few to tell
        call();
        backend.answer(1, "a");
        assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN); // half of two

        assertThat(call().join()).isEqualTo(new Outcome.Rejected<>("endpoint db was not called: the breaker is open"));
        assertThat(backend.calls()).isEqualTo(2);
        assertThat(breaker).hasToString("breaker db, OPEN");
    }

    @Test
    void m1_stats_countPassesFailuresAndRefusals() {
        open();
        call();
        simulation.advance(SECOND);
        call(); // a trial

        Stats stats = breaker.stats();
        assertThat(List.of(stats.accepted(), stats.completed(), stats.failed(), stats.rejected()))
                .containsExactly(3L, 2L, 2L, 1L);
        assertThat(stats.running()).isEqualTo(1);
        assertThat(stats.name()).isEqualTo("db");
        backend.answer(2, "a");
        assertThat(breaker.stats().completed()).isEqualTo(3);
        assertThat(breaker.stats().running()).isZero();
    }

    @Test
    void m1_statsOfAnAdapter_haveItsNameAlone() {
        Stats stats = new Broken(new RuntimeException(), true).stats();

        assertThat(stats.name()).startsWith("Broken[");
        assertThat(stats.accepted()).isZero();
    }

    @Test
    void b4_oldCalls_leaveTheWindow() {
        for (int i = 0; i < 6; i++) {
            call();
            backend.answer(i, "a");
        }
        call();
        backend.fail(6, reset);
        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED); // one of four
        call();
        backend.fail(7, reset);

        assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
    }

    @Test
    void b4_closedAgain_opensAfterAsManyFailuresAsBefore() {
        open();
        simulation.advance(SECOND);
        for (int i = 0; i < 2; i++) {
            call();
            backend.answer(backend.calls() - 1, "a");
        }
        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);

        open();
    }

    @Test
    void b4_halfOpen_letsTheStatedNumberOfTrialsThrough() {
        open();
        simulation.advance(SECOND.minusNanos(1));
        assertThat(call().join()).isInstanceOf(Outcome.Rejected.class);
        simulation.advance(Duration.ofNanos(1));
        CompletableFuture<Outcome<String>> first = call();
        CompletableFuture<Outcome<String>> second = call();
        assertThat(breaker.state()).isEqualTo(Breaker.State.HALF_OPEN);
        assertThat(call().join()).isInstanceOf(Outcome.Rejected.class);
        assertThat(backend.calls()).isEqualTo(4);
        backend.answer(2, "a");
        assertThat(breaker.state()).isEqualTo(Breaker.State.HALF_OPEN);
        assertThat(call().join()).isInstanceOf(Outcome.Rejected.class); // two in all, not two at once
        backend.answer(3, "a");

        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
        assertThat(List.of(first.join(), second.join())).allMatch(Outcome.Value.class::isInstance);
    }

    @Test
    void b4_trialThatFails_opensAgain() {
        open();
        simulation.advance(SECOND);
        call();
        backend.fail(2, reset);
        assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
        simulation.advance(SECOND.minusNanos(1));

        assertThat(call().join()).isInstanceOf(Outcome.Rejected.class);
    }

    @Test
    void b4_trialThatIsCancelledByUs_makesRoomForAnother() {
        open();
        simulation.advance(SECOND);
        call().cancel(true);
        assertThat(breaker.state()).isEqualTo(Breaker.State.HALF_OPEN);
        call();
        call();

        assertThat(backend.calls()).isEqualTo(5);
        assertThat(call().join()).isInstanceOf(Outcome.Rejected.class);
    }

    @Test
    void b4_callsCancelledByUs_countNeitherWay() {
        for (int i = 0; i < 10; i++) {
            call().cancel(true);
        }
        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
        call();
        backend.fail(10, reset);
        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED); // cancelled calls are no successes
        call();
        backend.fail(11, reset);

        assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
    }

    @Test
    void b4_timeLimits_areFailures() {
        call();
        call();
        simulation.advance(Duration.ofMillis(100));

        assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
    }

    @Test
    void b4_callThatTheCallerGivesUpWhenItsDeadlineIsUsedUp_isAFailure() {
        ScatterGatherBuilder<String> builder = ScatterGather.builder();
        for (int i = 0; i < 2; i++) {
            builder.add(
                    Endpoint.builder(spindle, "db", backend).breaker(breaker).build());
        }
        builder.build().call("q", Deadline.after(spindle, SECOND));
        simulation.advance(SECOND); // the first that times out decides, and the other is cancelled

        assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
    }

    @Test
    void b4_rejectionsOfOurOwn_countNeitherWay() {
        for (int i = 0; i < 4; i++) {
            call();
            backend.fail(i, new RejectedExecutionException("pool is full"));
        }

        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
    }

    @Test
    void b4_callsFromBeforeItOpened_areNoTrials() {
        call();
        call();
        open();
        simulation.advance(SECOND);
        call(); // now it is half-open
        simulation.run();
        backend.answer(0, "late");
        backend.fail(1, reset);

        assertThat(breaker.state()).isEqualTo(Breaker.State.HALF_OPEN);
    }

    @Test
    void b4_failuresThatAreNoneOfTheBackends_goWell() {
        Endpoint<String, String> endpoint = Endpoint.builder(spindle, "db", backend)
                .breaker(breaker)
                .failureWhen(outcome -> outcome instanceof Outcome.Failed<?> failed
                        && !(failed.cause() instanceof IllegalArgumentException))
                .build();
        for (int i = 0; i < 4; i++) {
            endpoint.call("q", Deadline.after(spindle, SECOND));
            backend.fail(i, new IllegalArgumentException("not found"));
        }

        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
    }

    @Test
    void b5_passUsedTwice_countsOnce() {
        Breaker.Pass pass = requireNonNull(breaker.tryPass());
        for (int i = 0; i < 4; i++) {
            pass.failure(Duration.ofNanos(1), new Outcome.Failed<>(reset));
            pass.ignore();
        }

        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
    }

    @Test
    void b5_breakerThatThrows_losesNoPermitAndNoAnswer() {
        Bulkhead bulkhead = Bulkhead.create(spindle, "db", Limiter.fixed(1), 0);
        List<Throwable> reported = new ArrayList<>();
        IllegalStateException broken = new IllegalStateException("broken");
        Endpoint<String, String> refuses = Endpoint.builder(spindle, "db", backend)
                .bulkhead(bulkhead)
                .breaker(new Broken(broken, false))
                .build();
        Endpoint<String, String> ends = Endpoint.builder(spindle, "db", backend)
                .bulkhead(bulkhead)
                .breaker(new Broken(broken, true))
                .build();

        assertThat(refuses.call("q", Deadline.after(spindle, SECOND)).join()).isEqualTo(new Outcome.Failed<>(broken));
        assertThat(bulkhead.stats().running()).isZero();
        Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> reported.add(thrown));
        CompletableFuture<Outcome<String>> answer = ends.call("q", Deadline.after(spindle, SECOND));
        backend.answer(0, "a");
        Thread.currentThread().setUncaughtExceptionHandler(null);
        assertThat(answer).isCompletedWithValue(new Outcome.Value<>("a"));
        assertThat(reported).containsExactly(broken);
        assertThat(bulkhead.stats().running()).isZero();
    }

    @Test
    void options_outOfRange_areRefused() {
        BreakerBuilder builder = Breaker.builder(spindle, "db");
        assertThatThrownBy(() -> builder.minimumCalls(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.failureShare(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.openFor(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.trials(0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(Breaker.create(spindle, "db").state()).isEqualTo(Breaker.State.CLOSED);
    }

    private record Broken(RuntimeException thrown, boolean passes) implements Breaker, Breaker.Pass {
        @Override
        public @Nullable Pass tryPass() {
            if (passes) {
                return this;
            }
            throw thrown;
        }

        @Override
        public State state() {
            return State.CLOSED;
        }

        @Override
        public void success(Duration elapsed) {
            throw thrown;
        }

        @Override
        public void failure(Duration elapsed, Outcome<?> outcome) {
            throw thrown;
        }

        @Override
        public void ignore() {
            throw thrown;
        }
    }
}
