// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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
        Budget budget = Budget.of(0.25, 2);
        assertThat(budget.available()).isEqualTo(2);
        budget.called();
        assertThat(budget.available()).isEqualTo(2);
        assertThat(List.of(budget.tryTake(), budget.tryTake(), budget.tryTake()))
                .containsExactly(true, true, false);
        IntStream.range(0, 3).forEach(i -> budget.called());
        assertThat(budget.tryTake()).isFalse();
        budget.called();
        assertThat(budget).hasToString("budget with 1 left");
        assertThat(budget.tryTake()).isTrue();
        budget.untake();
        assertThat(budget.available()).isEqualTo(1);
    }

    @Test
    void budget_outOfRange_isRefused() {
        assertThat(Budget.of(0, 1).available()).isEqualTo(1);
        assertThat(Budget.of(1, 3).available()).isEqualTo(3);
        assertRefused("share must be from 0 to 1, is -0.1", () -> Budget.of(-0.1, 1));
        assertRefused("share must be from 0 to 1, is 1.1", () -> Budget.of(1.1, 1));
        assertRefused("share must be from 0 to 1, is NaN", () -> Budget.of(Double.NaN, 1));
        assertRefused("burst must be at least 1, is 0", () -> Budget.of(0.1, 0));
    }

    // ---------------------------------------------------------------- retries and hedges

    @ParameterizedTest
    @CsvSource({"0, 10", "1, 20", "2, 40", "3, 80", "4, 100", "5, 100", "61, 100", "62, 100", "1000, 100"})
    void delay_ofEachRetry_doublesUpToTheLongest(int number, long millis) {
        Retry whole = Retry.times(1)
                .spans(Duration.ofMillis(10), Duration.ofMillis(100))
                .jitter(() -> 1);
        Retry half = whole.jitter(() -> 0.5);

        assertThat(whole.delayNanos(number)).isEqualTo(millis * 1_000_000);
        assertThat(half.delayNanos(number)).isEqualTo(millis * 500_000);
    }

    @Test
    void delay_ofASpanThatDoublesExactly_isReached() {
        Retry retry = Retry.times(1)
                .spans(Duration.ofMillis(10), Duration.ofMillis(80))
                .jitter(() -> 1);

        assertThat(retry.delayNanos(3)).isEqualTo(80_000_000);
        assertThat(Retry.times(1)
                        .spans(NANO, Duration.ofDays(36_500))
                        .jitter(() -> 1)
                        .delayNanos(61))
                .isEqualTo(1L << 61);
    }

    @Test
    void delay_jitterOutOfRange_isCut() {
        Retry retry = Retry.times(2).spans(Duration.ofMillis(10), Duration.ofMillis(10));

        assertThat(retry.jitter(() -> 1.5).delayNanos(0)).isEqualTo(10_000_000);
        assertThat(retry.jitter(() -> -1).delayNanos(0)).isZero();
    }

    @Test
    void delay_withoutASourceOfItsOwn_isSpread() {
        Retry retry = Retry.times(1);

        assertThat(IntStream.range(0, 100)
                        .mapToLong(i -> retry.delayNanos(10))
                        .distinct()
                        .count())
                .isGreaterThan(10);
        assertThat(retry.most()).isEqualTo(1);
        assertThat(retry).hasToString("at most 1 retries, within PT0.02S to PT1S");
    }

    @Test
    void retry_outOfRange_isRefused() {
        assertRefused("retries must be at least 1, is 0", () -> Retry.times(0));
        assertRefused("first must be positive, is PT0S", () -> Retry.times(1).spans(Duration.ZERO, NANO));
        assertRefused("longest must be positive, is PT-1S", () -> Retry.times(1).spans(NANO, Duration.ofSeconds(-1)));
        assertRefused(
                "first must not be above longest, is PT0.000000002S and PT0.000000001S",
                () -> Retry.times(1).spans(NANO.multipliedBy(2), NANO));
        assertThat(Retry.times(1).spans(NANO, NANO).jitter(() -> 1).delayNanos(5))
                .isEqualTo(1);
    }

    @Test
    void hedge_fixedTime_isNotBeforeTheLeast() {
        Latencies none = new Latencies();

        assertThat(Hedge.after(Duration.ofNanos(7)).delayNanos(none)).isEqualTo(7);
        assertThat(Hedge.after(Duration.ofNanos(7))
                        .notBefore(Duration.ofNanos(9))
                        .delayNanos(none))
                .isEqualTo(9);
        assertThat(Hedge.after(Duration.ofNanos(7))
                        .notBefore(Duration.ofNanos(5))
                        .delayNanos(none))
                .isEqualTo(7);
        assertThat(Hedge.after(NANO).most(3).most()).isEqualTo(3);
        assertThat(Hedge.after(NANO).most()).isEqualTo(1);
    }

    @Test
    void hedge_percentile_isThatOfTheLatenciesAndNotBeforeTheLeast() {
        Latencies slow = new Latencies();
        Latencies fast = new Latencies();
        IntStream.range(0, 20).forEach(i -> slow.add(50_000_000));
        IntStream.range(0, 20).forEach(i -> fast.add(7));
        Hedge hedge = Hedge.atPercentile(0.5);

        assertThat(hedge.delayNanos(new Latencies())).isEqualTo(-1);
        assertThat(hedge.delayNanos(slow)).isBetween(50_000_000L, 56_250_000L);
        assertThat(hedge.delayNanos(fast)).isEqualTo(1_000_000);
        assertThat(hedge.notBefore(Duration.ofNanos(5)).delayNanos(fast)).isEqualTo(7);
        assertThat(hedge.notBefore(Duration.ofNanos(8)).delayNanos(fast)).isEqualTo(8);
        assertThat(hedge.notBefore(Duration.ofNanos(8)).most(2).delayNanos(fast))
                .isEqualTo(8);
        assertThat(hedge).hasToString("hedge at percentile 0.5");
        assertThat(Hedge.after(NANO)).hasToString("hedge after PT0.000000001S");
    }

    @Test
    void hedge_outOfRange_isRefused() {
        for (double wrong : new double[] {0, 1, -0.5, Double.NaN}) {
            assertRefused("percentile must be between 0 and 1, is " + wrong, () -> Hedge.atPercentile(wrong));
        }
        assertRefused("calls must be at least 1, is 0", () -> Hedge.after(NANO).most(0));
        assertRefused("time must be positive, is PT0S", () -> Hedge.after(Duration.ZERO));
        assertRefused("time must be positive, is PT0S", () -> Hedge.after(NANO).notBefore(Duration.ZERO));
    }

    @Test
    void endpoint_retriesOrHedgesWithoutLeave_areRefused() {
        try (Simulation simulation = Simulation.inOrder()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> endpoint(simulation).retry(Retry.times(1)).build())
                    .withMessageStartingWith("endpoint e has retries, but");
            assertThatIllegalStateException()
                    .isThrownBy(
                            () -> endpoint(simulation).hedge(Hedge.after(NANO)).build())
                    .withMessageStartingWith("endpoint e has hedges, but");
            assertThat(endpoint(simulation)
                            .hedge(Hedge.after(NANO))
                            .repeatable(q -> true)
                            .build())
                    .isNotNull();
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
            assertThat(second.isUsedUp()).isFalse();
            assertThat(second.remaining()).isEqualTo(NANO);
            simulation.advance(NANO);
            assertThat(second.isUsedUp()).isTrue();
            simulation.advance(NANO);
            assertThat(second.remaining()).isZero();
            assertThat(second).hasToString("deadline, used up");
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
            Breaker breaker = Breaker.builder(simulation.spindle())
                    .window(3, 3)
                    .threshold(0.6)
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
            Breaker breaker = Breaker.builder(simulation.spindle())
                    .window(4, 2)
                    .threshold(1)
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
            Breaker breaker = Breaker.builder(simulation.spindle())
                    .window(2, 2)
                    .openFor(NANO)
                    .trials(2)
                    .build();
            Breaker.Pass early = requireNonNull(breaker.tryPass());
            end(breaker, true);
            end(breaker, true);
            simulation.advance(NANO);
            Breaker.Pass trial = requireNonNull(breaker.tryPass());
            early.success(1);
            trial.success(1);
            assertThat(breaker.state()).isEqualTo(Breaker.State.HALF_OPEN); // one of two trials has ended
            trial.success(1); // once only
            assertThat(breaker.state()).isEqualTo(Breaker.State.HALF_OPEN);
        }
    }

    private static void end(Breaker breaker, boolean failed) {
        Breaker.Pass pass = requireNonNull(breaker.tryPass());
        if (failed) {
            pass.failure(1, new Outcome.Failed<String>(new IllegalStateException("made up")));
        } else {
            pass.success(1);
        }
    }

    @Test
    void breaker_outOfRange_isRefused() {
        try (Simulation simulation = Simulation.inOrder()) {
            BreakerBuilder builder = Breaker.builder(simulation.spindle());
            assertThat(builder.window(1, 1).threshold(1).openFor(NANO).trials(1))
                    .isSameAs(builder);
            assertThat(builder.window(2, 2)).isSameAs(builder);
            assertRefused("needs 1 <= minimum <= calls, is 0 of 5", () -> builder.window(5, 0));
            assertRefused("needs 1 <= minimum <= calls, is 6 of 5", () -> builder.window(5, 6));
            assertRefused("share must be above 0 and at most 1, is 0.0", () -> builder.threshold(0));
            assertRefused("share must be above 0 and at most 1, is 1.1", () -> builder.threshold(1.1));
            assertRefused("share must be above 0 and at most 1, is NaN", () -> builder.threshold(Double.NaN));
            assertRefused("time must be positive, is PT0S", () -> builder.openFor(Duration.ZERO));
            assertRefused("trials must be at least 1, is 0", () -> builder.trials(0));
        }
    }

    // ---------------------------------------------------------------- limiters

    @Test
    void limiter_outOfRange_isRefused() {
        assertThat(Limiter.fixed(1).limit(0)).isEqualTo(1);
        assertThat(Limiter.aimd(1, 1, 1).limit(0)).isEqualTo(1);
        assertThat(Limiter.gradient(2, 2, 2).limit(0)).isEqualTo(2);
        assertThatIllegalArgumentException().isThrownBy(() -> Limiter.fixed(0));
        for (int[] wrong : new int[][] {{0, 1, 1}, {2, 1, 2}, {1, 3, 2}}) {
            assertThatIllegalArgumentException().isThrownBy(() -> Limiter.aimd(wrong[0], wrong[1], wrong[2]));
            assertThatIllegalArgumentException().isThrownBy(() -> Limiter.gradient(wrong[0], wrong[1], wrong[2]));
        }
    }
}
