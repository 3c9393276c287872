// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.spindle.flow.internal.Backoff;
import dev.spindle.flow.internal.Budget;
import dev.spindle.flow.internal.Latencies;
import dev.spindle.flow.limit.Limiter;
import dev.spindle.testkit.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The classes without concurrent calls, at the ends of their ranges; each test finds a small fault of .ci/pit. */
class PlainPartsTest {
    private static final Duration NANO = Duration.ofNanos(1);

    private static void assertRefused(String message, ThrowingCallable call) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
    }

    // ---------------------------------------------------------------- the latencies

    @ParameterizedTest
    @ValueSource(
            longs = {0, 1, 7, 8, 9, 15, 16, 17, 1_000, 1_023, 1_024, 1_000_000, 123_456_789_012L, Long.MAX_VALUE / 2})
    void latencies_oneTimeAgainAndAgain_isAtMostAnEighthBelow(long nanos) {
        Latencies latencies = new Latencies();
        for (int i = 0; i < 20; i++) {
            latencies.add(nanos);
        }

        for (double percentile : new double[] {0.01, 0.5, 1}) {
            assertThat(latencies.at(percentile)).isBetween(nanos, nanos + nanos / 8);
        }
    }

    @Test
    void latencies_negativeTime_countsAsZero() {
        Latencies latencies = new Latencies();
        IntStream.range(0, 20).forEach(i -> latencies.add(-1 - i));

        assertThat(latencies.at(1)).isZero();
    }

    @Test
    void latencies_fewerThanTwenty_areTooFew() {
        Latencies latencies = new Latencies();
        IntStream.range(0, 19).forEach(i -> latencies.add(5));
        assertThat(latencies.at(0.5)).isEqualTo(-1);

        latencies.add(5);
        assertThat(latencies.at(0.5)).isEqualTo(5);
    }

    @Test
    void latencies_percentile_isTheTimeThatThisShareDidNotExceed() {
        Latencies latencies = new Latencies();
        for (int i = 0; i < 20; i++) {
            latencies.add(i < 10 ? 1 : i < 19 ? 3 : 7);
        }

        assertThat(latencies.at(0.5)).isEqualTo(1); // the tenth of twenty
        assertThat(latencies.at(0.51)).isEqualTo(3);
        assertThat(latencies.at(0.95)).isEqualTo(3);
        assertThat(latencies.at(0.96)).isEqualTo(7);
    }

    @Test
    void latencies_afterTheWindow_forgetTheOldest() {
        Latencies latencies = new Latencies();
        IntStream.range(0, 2 * Latencies.WINDOW).forEach(i -> latencies.add(1));
        IntStream.range(0, Latencies.WINDOW / 2).forEach(i -> latencies.add(7));
        assertThat(latencies.at(0.5)).isEqualTo(1);
        latencies.add(7);
        assertThat(latencies.at(0.5)).isEqualTo(7);
        IntStream.range(0, Latencies.WINDOW / 2 - 1).forEach(i -> latencies.add(7));

        assertThat(latencies.at(0.001)).isEqualTo(7);
    }

    // ---------------------------------------------------------------- the budget

    @Test
    void budget_share_addsUpAndIsCappedAtTheBurst() {
        Budget budget = new Budget(0.25, 2);
        assertThat(budget.available()).isEqualTo(2);
        budget.called();
        assertThat(budget.available()).isEqualTo(2);
        assertThat(List.of(budget.tryTake(), budget.tryTake(), budget.tryTake()))
                .containsExactly(true, true, false);
        IntStream.range(0, 3).forEach(i -> budget.called());
        assertThat(budget.tryTake()).isFalse();
        budget.called();
        assertThat(budget.available()).isEqualTo(1);
        assertThat(budget.tryTake()).isTrue();
        budget.untake();
        assertThat(budget.available()).isEqualTo(1);
    }

    @Test
    void budget_outOfRange_isRefused() {
        try (Simulation simulation = Simulation.inOrder()) {
            EndpointBuilder<String, String> builder =
                    endpoint(simulation).idempotent(q -> true).retries(1);
            assertThat(builder.build().budget.available()).isEqualTo(10);
            assertThat(builder.budget(0, 1).build().budget.available()).isEqualTo(1);
            assertThat(builder.budget(1, 3).build().budget.available()).isEqualTo(3);
            assertRefused("share must be from 0 to 1, is -0.1", () -> builder.budget(-0.1, 1));
            assertRefused("share must be from 0 to 1, is 1.1", () -> builder.budget(1.1, 1));
            assertRefused("share must be from 0 to 1, is NaN", () -> builder.budget(Double.NaN, 1));
            assertRefused("burst must be at least 1, is 0", () -> builder.budget(0.1, 0));
        }
    }

    // ---------------------------------------------------------------- retries and hedges

    @ParameterizedTest
    @CsvSource({"0, 10", "1, 20", "2, 40", "3, 80", "4, 100", "5, 100", "61, 100", "62, 100", "1000, 100"})
    void delay_ofEachRetry_doublesUpToTheLongest(int number, long millis) {
        assertThat(new Backoff(10_000_000, 100_000_000, () -> 1).delayNanos(number))
                .isEqualTo(millis * 1_000_000);
        assertThat(new Backoff(10_000_000, 100_000_000, () -> 0.5).delayNanos(number))
                .isEqualTo(millis * 500_000);
    }

    @Test
    void delay_ofASpanThatDoublesExactly_isReached() {
        assertThat(new Backoff(10_000_000, 80_000_000, () -> 1).delayNanos(3)).isEqualTo(80_000_000);
        assertThat(new Backoff(1, Duration.ofDays(36_500).toNanos(), () -> 1).delayNanos(61))
                .isEqualTo(1L << 61);
    }

    @Test
    void delay_byDefault_isSpreadOverTheSpan() {
        try (Simulation simulation = Simulation.inOrder()) {
            EndpointBuilder<String, String> builder =
                    endpoint(simulation).idempotent(q -> true).retries(1);
            Backoff spans = builder.build().backoff;
            assertThat(spans.firstNanos()).isEqualTo(20_000_000);
            assertThat(spans.longestNanos()).isEqualTo(1_000_000_000);
            long[] delays = IntStream.range(0, 100)
                    .mapToLong(i -> spans.delayNanos(10))
                    .distinct()
                    .toArray();
            assertThat(delays).hasSizeGreaterThan(10);
            for (long delay : delays) {
                assertThat(delay).isBetween(0L, 1_000_000_000L);
            }
        }
    }

    @Test
    void backoff_outOfRange_isRefused() {
        try (Simulation simulation = Simulation.inOrder()) {
            EndpointBuilder<String, String> builder =
                    endpoint(simulation).idempotent(q -> true).retries(1);
            assertRefused("first must be positive, is PT0S", () -> builder.backoff(Duration.ZERO, NANO));
            assertRefused("longest must be positive, is PT-1S", () -> builder.backoff(NANO, Duration.ofSeconds(-1)));
            assertRefused(
                    "first must not be above longest, is PT0.000000002S and PT0.000000001S",
                    () -> builder.backoff(NANO.multipliedBy(2), NANO));
            assertThat(builder.backoff(NANO, NANO)
                            .jitter(() -> 1)
                            .build()
                            .backoff
                            .delayNanos(5))
                    .isEqualTo(1);
        }
    }

    @Test
    void hedge_percentile_isThatOfTheLatenciesAndAtLeastAMillisecond() {
        try (Simulation simulation = Simulation.inOrder()) {
            Endpoint<String, String> slow = endpoint(simulation)
                    .idempotent(q -> true)
                    .hedgeAtPercentile(0.5)
                    .build();
            Endpoint<String, String> fast = endpoint(simulation)
                    .idempotent(q -> true)
                    .hedgeAtPercentile(0.5)
                    .build();
            assertThat(slow.hedgeNanos()).isEqualTo(-1);
            IntStream.range(0, 20).forEach(i -> slow.latencies.add(50_000_000));
            IntStream.range(0, 20).forEach(i -> fast.latencies.add(7));

            assertThat(slow.hedgeNanos()).isBetween(50_000_000L, 56_250_000L);
            assertThat(fast.hedgeNanos()).isEqualTo(1_000_000);
            assertThat(endpoint(simulation)
                            .idempotent(q -> true)
                            .hedgeAfter(NANO)
                            .build()
                            .hedgeNanos())
                    .isEqualTo(1);
            assertThat(endpoint(simulation).build().hedgeNanos()).isEqualTo(-1);
        }
    }

    @Test
    void endpoint_optionsThatDoNotFit_areRefused() {
        try (Simulation simulation = Simulation.inOrder()) {
            Bulkhead shared = Bulkhead.create(simulation.spindle(), "b", Limiter.fixed(1), 0);
            refused("has retries, but no idempotent(..)", endpoint(simulation).retries(1));
            refused("has hedges, but no idempotent(..)", endpoint(simulation).hedgeAfter(NANO));
            refused("has hedges, but no idempotent(..)", endpoint(simulation).hedgeAtPercentile(0.5));
            refused("has a backoff, but no retries", endpoint(simulation).backoff(NANO, NANO));
            refused("has a budget, but neither", endpoint(simulation).budget(0.5, 1));
            refused(
                    "has a capacity, but no maxConcurrency",
                    endpoint(simulation).capacity(0));
            refused(
                    "has maxConcurrency and a bulkhead",
                    endpoint(simulation).maxConcurrency(1).bulkhead(shared));
            assertRefused(
                    "maxConcurrency must be at least 1, is 0",
                    () -> endpoint(simulation).maxConcurrency(0));
            assertRefused(
                    "capacity must not be negative, is -1",
                    () -> endpoint(simulation).capacity(-1));
            assertRefused(
                    "retries must not be negative, is -1",
                    () -> endpoint(simulation).retries(-1));
            assertThat(endpoint(simulation)
                            .hedgeAfter(NANO)
                            .idempotent(q -> true)
                            .budget(0.5, 1)
                            .build())
                    .isNotNull();
            assertThat(endpoint(simulation).retries(0).build()).isNotNull();
        }
    }

    private static void refused(String message, EndpointBuilder<String, String> builder) {
        assertThatIllegalStateException().isThrownBy(builder::build).withMessageStartingWith("endpoint e " + message);
    }

    @Test
    void maxConcurrency_withoutACapacity_letsNoCallWait() {
        try (Simulation simulation = Simulation.inOrder()) {
            EndpointBuilder<String, String> builder = endpoint(simulation).maxConcurrency(2);
            Endpoint<String, String> none = builder.build();
            Endpoint<String, String> one = builder.capacity(1).build();

            assertThat(none.options.bulkhead).hasToString("bulkhead e (0 of 1 at once, 0 of 0 waiting)");
            assertThat(one.options.bulkhead).hasToString("bulkhead e (0 of 1 at once, 0 of 1 waiting)");
            assertThat(builder.build().options.bulkhead).isNotSameAs(one.options.bulkhead);
        }
    }

    private static EndpointBuilder<String, String> endpoint(Simulation simulation) {
        return Endpoint.builder(simulation.spindle(), "e", new Backend());
    }

    // ---------------------------------------------------------------- deadlines

    @Test
    void deadline_within_isTheEarlier() {
        try (Simulation simulation = Simulation.inOrder()) {
            Deadline second = Deadline.after(simulation.spindle(), Duration.ofSeconds(1));

            assertThat(second.within(Duration.ofSeconds(1))).isSameAs(second);
            assertThat(second.within(Duration.ofSeconds(2))).isSameAs(second);
            assertThat(second.within(Duration.ofMillis(999)).remaining()).isEqualTo(Duration.ofMillis(999));
            simulation.advance(Duration.ofSeconds(1).minus(NANO));
            assertThat(second.isExpired()).isFalse();
            assertThat(second.remaining()).isEqualTo(NANO);
            simulation.advance(NANO);
            assertThat(second.isExpired()).isTrue();
            simulation.advance(NANO);
            assertThat(second.remaining()).isZero();
            assertThat(second).hasToString("deadline, expired");
        }
    }

    @Test
    void deadline_nanos_areCutAtBothEnds() {
        long most = Deadline.nanos(Duration.ofSeconds(Long.MAX_VALUE));

        assertThat(Deadline.nanos(Duration.ofNanos(-1))).isZero();
        assertThat(Deadline.nanos(Duration.ZERO)).isZero();
        assertThat(Deadline.nanos(NANO)).isEqualTo(1);
        assertThat(most).isGreaterThan(Duration.ofDays(36_500).toNanos());
        assertThat(Deadline.nanos(Duration.ofNanos(most - 1_000_000_000))).isEqualTo(most - 1_000_000_000);
        assertThat(Deadline.nanos(Duration.ofNanos(most))).isEqualTo(most);
    }

    // ---------------------------------------------------------------- the breaker

    @Test
    void breaker_windowOfThree_forgetsTheFourthLast() {
        try (Simulation simulation = Simulation.inOrder()) {
            Breaker breaker = Breaker.builder(simulation.spindle(), "db")
                    .window(3)
                    .minimumCalls(3)
                    .failureShare(0.6)
                    .build();
            // Never two failures among three adjacent calls, for more than two rounds of the window.
            for (boolean failed : new boolean[] {true, false, false, true, false, false, true, false, false}) {
                end(breaker, failed);
                assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
            }
            end(breaker, true);
            assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
            end(breaker, true);
            assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
        }
    }

    @Test
    void breaker_closedAgain_countsFromNone() {
        try (Simulation simulation = Simulation.inOrder()) {
            Breaker breaker = Breaker.builder(simulation.spindle(), "db")
                    .window(4)
                    .minimumCalls(2)
                    .failureShare(1)
                    .openFor(NANO)
                    .trials(1)
                    .build();
            end(breaker, true);
            end(breaker, true);
            assertThat(breaker.tryPass()).isNull();
            simulation.advance(NANO);
            end(breaker, false);
            assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
            end(breaker, true);
            assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED); // one of at least two
            end(breaker, false);
            assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED); // failures before the trial are forgotten
            end(breaker, true);
            assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
        }
    }

    @Test
    void breaker_passOfAnEarlierPeriod_isNoTrial() {
        try (Simulation simulation = Simulation.inOrder()) {
            Breaker breaker = Breaker.builder(simulation.spindle(), "db")
                    .window(2)
                    .minimumCalls(2)
                    .openFor(NANO)
                    .trials(2)
                    .build();
            Breaker.Pass early = requireNonNull(breaker.tryPass());
            end(breaker, true);
            end(breaker, true);
            simulation.advance(NANO);
            Breaker.Pass trial = requireNonNull(breaker.tryPass());
            early.success(Duration.ofNanos(1));
            trial.success(Duration.ofNanos(1));
            assertThat(breaker.state()).isEqualTo(Breaker.State.HALF_OPEN); // one of two trials has ended
            trial.success(Duration.ofNanos(1)); // once only
            assertThat(breaker.state()).isEqualTo(Breaker.State.HALF_OPEN);
        }
    }

    private static void end(Breaker breaker, boolean failed) {
        Breaker.Pass pass = requireNonNull(breaker.tryPass());
        if (failed) {
            pass.failure(Duration.ofNanos(1), new Outcome.Failed<String>(new IllegalStateException("made up")));
        } else {
            pass.success(Duration.ofNanos(1));
        }
    }

    @Test
    void breaker_outOfRange_isRefused() {
        try (Simulation simulation = Simulation.inOrder()) {
            BreakerBuilder builder = Breaker.builder(simulation.spindle(), "db");
            assertThat(builder.window(1)
                            .minimumCalls(1)
                            .failureShare(1)
                            .openFor(NANO)
                            .trials(1))
                    .isSameAs(builder);
            assertThat(builder.window(2).minimumCalls(2)).isSameAs(builder);
            assertRefused("minimumCalls must be at least 1, is 0", () -> builder.minimumCalls(0));
            assertRefused("window must be at least 1, is 0", () -> builder.window(0));
            assertThatIllegalStateException()
                    .isThrownBy(() -> builder.window(5).minimumCalls(6).build())
                    .withMessage("breaker db has minimumCalls 6 above its window 5");
            assertThat(Breaker.builder(simulation.spindle(), "db").window(5).build())
                    .hasToString("breaker db, CLOSED");
            assertRefused("share must be above 0 and at most 1, is 0.0", () -> builder.failureShare(0));
            assertRefused("share must be above 0 and at most 1, is 1.1", () -> builder.failureShare(1.1));
            assertRefused("share must be above 0 and at most 1, is NaN", () -> builder.failureShare(Double.NaN));
            assertRefused("time must be positive, is PT0S", () -> builder.openFor(Duration.ZERO));
            assertRefused("trials must be at least 1, is 0", () -> builder.trials(0));
        }
    }

    // ---------------------------------------------------------------- limiters

    @Test
    void limiter_outOfRange_isRefused() {
        assertThat(Limiter.fixed(1).maxConcurrency(0)).isEqualTo(1);
        assertThat(Limiter.aimd(1, 1, 1).maxConcurrency(0)).isEqualTo(1);
        assertThat(Limiter.gradient(2, 2, 2).maxConcurrency(0)).isEqualTo(2);
        assertThatIllegalArgumentException().isThrownBy(() -> Limiter.fixed(0));
        for (int[] wrong : new int[][] {{0, 1, 1}, {2, 1, 2}, {1, 3, 2}}) {
            assertThatIllegalArgumentException().isThrownBy(() -> Limiter.aimd(wrong[0], wrong[1], wrong[2]));
            assertThatIllegalArgumentException().isThrownBy(() -> Limiter.gradient(wrong[0], wrong[1], wrong[2]));
        }
    }
}
