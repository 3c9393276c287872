// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.flow.limit.Limiter;
import dev.spindle.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** B4: only the backend's own acts count for or against it. */
@SuppressWarnings("FutureReturnValueIgnored") // the tests look at the calls by other means
class CountingTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MILLI = Duration.ofMillis(1);

    private final Simulation simulation = Simulation.inOrder();
    private final Spindle spindle = simulation.spindle();
    private final Backend backend = new Backend();
    private final Breaker breaker = Breaker.builder(spindle, "db")
            .window(10)
            .minimumCalls(2)
            .trials(3)
            .openFor(SECOND)
            .build();
    private final Bulkhead bulkhead = Bulkhead.create(spindle, "db", Limiter.aimd(1, 32, 256), 0);

    @AfterEach
    void close() {
        simulation.close();
    }

    private EndpointBuilder<String, String> endpoint() {
        return Endpoint.builder(spindle, "db", backend).breaker(breaker).bulkhead(bulkhead);
    }

    private Deadline in(Duration time) {
        return Deadline.after(spindle, time);
    }

    private void assertNothingCounted() {
        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
        Permit permit = requireNonNull(bulkhead.tryAcquire());
        assertThat(bulkhead.stats().maxConcurrency()).isEqualTo(32);
        permit.ignore();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void b4_deadlinesOfACallerThatAreTooShort_countNeitherWay(boolean limited) {
        EndpointBuilder<String, String> builder = endpoint();
        Endpoint<String, String> endpoint =
                limited ? builder.attemptTimeout(Duration.ofMillis(200)).build() : builder.build();
        for (int i = 0; i < 1_000; i++) {
            CompletableFuture<Outcome<String>> answer = endpoint.call("q", in(MILLI));
            simulation.advance(MILLI);
            assertThat(answer.join()).isInstanceOf(Outcome.TimedOut.class);
        }

        assertNothingCounted();
        endpoint.call("q", in(SECOND)); // nor do they count as successes
        endpoint.call("q", in(SECOND));
        simulation.advance(SECOND);
        assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
    }

    @Test
    void b4_deadlineThatLeavesAsMuchAsTheLimit_counts() {
        Endpoint<String, String> endpoint =
                endpoint().attemptTimeout(Duration.ofMillis(200)).build();
        for (int i = 0; i < 2; i++) {
            endpoint.call("q", in(Duration.ofMillis(200)));
        }
        simulation.advance(Duration.ofMillis(200));

        assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
        Permit permit = requireNonNull(bulkhead.tryAcquire());
        assertThat(bulkhead.stats().maxConcurrency()).isEqualTo(28);
        permit.ignore();
    }

    @Test
    void b4_retryThatTheDeadlineCutsOff_countsNeitherWay() {
        Endpoint<String, String> endpoint = endpoint()
                .attemptTimeout(Duration.ofMillis(200))
                .idempotent(q -> true)
                .retries(1)
                .jitter(() -> 0)
                .failureWhen(
                        outcome -> outcome.equals(new Outcome.Value<>("503")) || !(outcome instanceof Outcome.Value<?>))
                .build();
        endpoint.call("q", in(Duration.ofMillis(210)));
        simulation.advance(Duration.ofMillis(200)); // counts
        assertThat(backend.calls()).isEqualTo(2);
        simulation.advance(Duration.ofMillis(10));

        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
    }

    @Test
    void b4_functionThatHandsOnTheDeadlineAsItsOwnLimit_countsNeitherWay() {
        Endpoint<String, String> endpoint =
                endpoint().attemptTimeout(Duration.ofMillis(200)).build();
        for (int i = 0; i < 10; i++) {
            endpoint.call("q", in(Duration.ofMillis(10)));
            simulation.advance(Duration.ofMillis(9));
            backend.fail(i, new TimeoutException("socket"));
        }
        assertNothingCounted();
        for (int i = 10; i < 12; i++) { // a timeout that the backend reports
            endpoint.call("q", in(Duration.ofMillis(100)));
            simulation.advance(Duration.ofMillis(10));
            backend.fail(i, new TimeoutException("504"));
        }

        assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
    }

    @Test
    void b4_losersOfAScatterGatherWithAShortDeadline_countNeitherWay() {
        ScatterGatherBuilder<String> builder = ScatterGather.builder();
        builder.add(endpoint().build());
        builder.add(endpoint().build());
        builder.build().call("q", in(Duration.ofMillis(10)));
        simulation.advance(Duration.ofMillis(10));

        assertNothingCounted();
    }

    /** Calls of 10 ms with a limit of 100 ms, one every 10 ms, in a process that is stopped for two seconds. */
    @Test
    void b4_limitsThatActLateSinceTheProcessStoodStill_countNeitherWay() {
        List<Outcome<?>> counted = new ArrayList<>();
        Breaker.Pass pass = new Breaker.Pass() {
            @Override
            public void success(Duration elapsed) {}

            @Override
            public void failure(Duration elapsed, Outcome<?> outcome) {
                counted.add(outcome);
            }

            @Override
            public void ignore() {}
        };
        Breaker tells = new Breaker() {
            @Override
            public Pass tryPass() {
                return pass;
            }

            @Override
            public State state() {
                return State.CLOSED;
            }
        };
        Endpoint<String, String> endpoint = endpoint()
                .bulkhead(Bulkhead.create(spindle, "wide", Limiter.fixed(1_000), 0))
                .breaker(tells)
                .attemptTimeout(Duration.ofMillis(100))
                .build();
        for (int i = 0; i < 200; i++) {
            endpoint.call("q", in(SECOND));
        }
        spindle.execute(() -> simulation.advance(SECOND.multipliedBy(2)));
        simulation.run();

        assertThat(backend.stage(0)).isCancelled();
        assertThat(counted).isEmpty();
        endpoint.call("q", in(SECOND));
        simulation.advance(Duration.ofMillis(100));
        assertThat(counted).hasSize(1);
    }

    @Test
    void b4_limitThatPassesWhileTheCallerTakesInTheAnswer_countsNeitherWay() {
        Endpoint<String, String> endpoint = endpoint().attemptTimeout(SECOND).build();
        for (int i = 0; i < 10; i++) {
            endpoint.call("q", in(SECOND.multipliedBy(2)));
            backend.attempts.get(i).commit();
        }
        simulation.advance(SECOND);

        assertNothingCounted();
    }

    @Test
    void b4_answerThatACallerTakesInSlowly_isAsQuickAsItsBeginning() {
        List<Long> told = new ArrayList<>();
        Endpoint<String, String> endpoint = Endpoint.builder(spindle, "db", backend)
                .bulkhead(Bulkhead.create(spindle, "db", telling(told), 0))
                .build();
        endpoint.call("q", in(SECOND.multipliedBy(2)));
        simulation.advance(Duration.ofMillis(30));
        backend.attempts.get(0).commit();
        simulation.advance(SECOND);
        backend.attempts.get(0).commit();
        backend.answer(0, "a");

        assertThat(told).containsExactly(30L);
    }

    @Test
    void b4_endWhileTheBackendIsExcused_countsNeitherWay() {
        Endpoint<String, String> endpoint = endpoint().attemptTimeout(SECOND).build();
        for (int i = 0; i < 10; i++) {
            endpoint.call("q", in(SECOND.multipliedBy(2)));
            backend.attempts.get(i).excuse(true);
            backend.attempts.get(i).excuse(true);
            if (i % 2 == 0) {
                backend.fail(i, new IllegalStateException("gave the caller up"));
            }
        }
        simulation.advance(SECOND);
        backend.attempts.get(0).excuse(false); // too late

        assertNothingCounted();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void b4_limitThatPassesAfterAnExcuse_countsIfTheBackendHadMostOfItsTime(boolean most) {
        Endpoint<String, String> endpoint = endpoint().attemptTimeout(SECOND).build();
        for (int i = 0; i < 10; i++) {
            endpoint.call("q", in(SECOND.multipliedBy(2)));
            backend.attempts.get(i).excuse(true);
        }
        simulation.advance(Duration.ofMillis(most ? 100 : 400));
        backend.attempts.forEach(attempt -> attempt.excuse(false));
        simulation.advance(SECOND);

        assertThat(breaker.state()).isEqualTo(most ? Breaker.State.OPEN : Breaker.State.CLOSED);
        Permit permit = requireNonNull(bulkhead.tryAcquire());
        assertThat(bulkhead.stats().maxConcurrency()).isEqualTo(most ? 28 : 32);
        permit.ignore();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void b4_timeForWhichTheBackendIsExcused_isNotItsOwn(boolean commits) {
        List<Long> told = new ArrayList<>();
        Endpoint<String, String> endpoint = Endpoint.builder(spindle, "db", backend)
                .bulkhead(Bulkhead.create(spindle, "db", telling(told), 0))
                .build();
        endpoint.call("q", in(SECOND.multipliedBy(2)));
        Attempt attempt = backend.attempts.get(0);
        simulation.advance(Duration.ofMillis(10));
        attempt.excuse(true);
        simulation.advance(Duration.ofMillis(500));
        attempt.excuse(false);
        simulation.advance(Duration.ofMillis(20));
        if (commits) {
            attempt.commit();
            attempt.excuse(true);
            simulation.advance(Duration.ofMillis(500));
            attempt.excuse(false);
        }
        backend.answer(0, "a");

        assertThat(told).containsExactly(30L);
    }

    private static Limiter telling(List<Long> told) {
        return new Limiter() {
            @Override
            public int maxConcurrency(long nanoTime) {
                return 1;
            }

            @Override
            public void ended(Sample sample) {
                told.add(sample.elapsed().toMillis());
            }
        };
    }

    private void halfOpen() {
        Endpoint<String, String> endpoint = endpoint().build();
        for (int i = 0; i < 2; i++) {
            endpoint.call("q", in(SECOND));
            backend.fail(backend.calls() - 1, new IllegalStateException("broken"));
        }
        simulation.advance(SECOND);
    }

    @Test
    void b4_trialsThatAreAnsweredWithARejection_areNoMoreThanStated() {
        halfOpen();
        Endpoint<String, String> endpoint = endpoint().build();
        int before = backend.calls();
        for (int i = 0; i < 10_000; i++) {
            int calls = backend.calls();
            endpoint.call("q", in(SECOND));
            if (backend.calls() > calls) {
                backend.fail(calls, new RejectedExecutionException("full"));
            }
        }
        assertThat(backend.calls() - before).isEqualTo(3);
        assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
        simulation.advance(SECOND);
        for (int i = 0; i < 3; i++) {
            endpoint.call("q", in(SECOND));
            backend.answer(backend.calls() - 1, "a");
        }

        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
    }

    @Test
    void b4_trialsThatTheirCallersCutOff_areNoMoreThanStated() {
        halfOpen();
        Endpoint<String, String> endpoint = endpoint().build();
        int before = backend.calls();
        for (int i = 0; i < 100; i++) {
            endpoint.call("q", in(MILLI));
            simulation.advance(MILLI);
        }

        assertThat(backend.calls() - before).isEqualTo(3);
    }

    @Test
    void b4_trialsThatTheirCallersCancel_areReplacedOnceEach() {
        halfOpen();
        Endpoint<String, String> endpoint = endpoint().build();
        int before = backend.calls();
        for (int i = 0; i < 100; i++) {
            endpoint.call("q", in(SECOND)).cancel(true);
        }
        assertThat(backend.calls() - before).isEqualTo(6);
        assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
    }

    @Test
    void b4_someTrialsWellAndOneThatSaysNothing_opensAgain() {
        halfOpen();
        Endpoint<String, String> endpoint = endpoint().build();
        int first = backend.calls();
        for (int i = 0; i < 3; i++) {
            endpoint.call("q", in(SECOND));
        }
        backend.fail(first, new RejectedExecutionException("full"));
        backend.answer(first + 1, "a");
        assertThat(breaker.state()).isEqualTo(Breaker.State.HALF_OPEN);
        backend.answer(first + 2, "a");

        assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
    }

    @Test
    void b4_failureWhenThatThrows_countsNeitherWay() {
        Endpoint<String, String> endpoint = endpoint()
                .failureWhen(outcome -> {
                    throw new IllegalStateException("broken");
                })
                .build();
        for (int i = 0; i < 4; i++) {
            endpoint.call("q", in(SECOND));
            backend.answer(i, "a");
        }
        Endpoint<String, String> good = endpoint().build();
        good.call("q", in(SECOND));
        backend.fail(4, new IllegalStateException("reset"));
        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED); // one call: too few
        good.call("q", in(SECOND));
        backend.fail(5, new IllegalStateException("reset"));

        assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
    }

    @Test
    void b4_callsThatWereNotMadeForWantOfAPermit_countNeitherWay() {
        Bulkhead one = Bulkhead.create(spindle, "one", Limiter.fixed(1), 10);
        Endpoint<String, String> endpoint =
                endpoint().bulkhead(one).attemptTimeout(Duration.ofMillis(100)).build();
        requireNonNull(one.tryAcquire());
        for (int i = 0; i < 5; i++) {
            endpoint.call("q", in(SECOND));
        }
        simulation.advance(SECOND);

        assertThat(backend.calls()).isZero();
        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
    }

    @Test
    void u2_breaker_aWindowOfAMillion_costsNoMoreThanASmallOne() {
        long small = nanosOfCalls(100);
        long large = nanosOfCalls(1_000_000);

        assertThat(large).as("ns for the calls, with a small window %d", small).isLessThan(20 * small + 100_000_000);
    }

    /** Returns the time of 300,000 calls, which take 2.4 s at 8 µs each. */
    private long nanosOfCalls(int window) {
        Breaker counting = Breaker.builder(spindle, "db")
                .window(window)
                .minimumCalls(window)
                .build();
        long best = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long begin = System.nanoTime();
            for (int i = 0; i < 60_000; i++) {
                requireNonNull(counting.tryPass()).success(Duration.ofNanos(1));
            }
            best = Math.min(best, System.nanoTime() - begin);
        }
        return best * 5;
    }

    @Test
    void b4_breakerWhoseWindowIsFull_forgetsTheOldestFailure() {
        Breaker counting = Breaker.builder(spindle, "db")
                .window(4)
                .minimumCalls(4)
                .failureShare(0.5)
                .build();
        Outcome<?> failed = new Outcome.TimedOut<>("slow");
        boolean[] fails = {true, false, false, false, true, false, false, false, true};
        for (boolean fail : fails) { // never two of the last four
            Breaker.Pass pass = requireNonNull(counting.tryPass());
            if (fail) {
                pass.failure(Duration.ofNanos(1), failed);
            } else {
                pass.success(Duration.ofNanos(1));
            }
            assertThat(counting.state()).isEqualTo(Breaker.State.CLOSED);
        }
        requireNonNull(counting.tryPass()).failure(Duration.ofNanos(1), failed);

        assertThat(counting.state()).isEqualTo(Breaker.State.OPEN);
    }

    @Test
    void b4_breakerThatClosedAgain_beginsToCountAnew() {
        halfOpen();
        Endpoint<String, String> endpoint = endpoint().build();
        for (int i = 0; i < 3; i++) {
            endpoint.call("q", in(SECOND));
            backend.answer(backend.calls() - 1, "a");
        }
        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
        endpoint.call("q", in(SECOND));
        backend.fail(backend.calls() - 1, new IllegalStateException("reset"));

        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED); // one call is too few again
    }

    @Test
    void latencies_callsCutOffByShortDeadlinesOrCancelled_areNotCounted() {
        Endpoint<String, String> endpoint = endpoint()
                .attemptTimeout(SECOND)
                .idempotent(q -> true)
                .hedgeAtPercentile(0.9)
                .build();
        for (int i = 0; i < 20; i++) {
            endpoint.call("q", in(MILLI));
            simulation.advance(MILLI);
            endpoint.call("q", in(SECOND)).cancel(true);
        }
        assertThat(endpoint.latencies.at(0.9)).isEqualTo(-1);
        for (int i = 0; i < 20; i++) {
            endpoint.call("q", in(SECOND));
            simulation.advance(Duration.ofNanos(TimeUnit.MILLISECONDS.toNanos(8)));
            backend.answer(backend.calls() - 1, "a");
        }

        assertThat(endpoint.latencies.at(0.9)).isBetween(8_000_000L, 9_100_000L);
    }
}
