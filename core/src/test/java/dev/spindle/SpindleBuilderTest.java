// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.unsafeNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Invalid options are refused, with their value in the message, before any thread starts. */
class SpindleBuilderTest {
    private static Arguments bad(String message, UnaryOperator<SpindleBuilder> options) {
        return Arguments.of(message, options);
    }

    private static Stream<Arguments> badOptions() {
        return Stream.of(
                bad("max must be from 1 to 32000, is 0", b -> b.max(0)),
                bad("core must be from 1 to 32000, is 0", b -> b.core(0)),
                bad(
                        "max must be at least core, is 2 with core 3",
                        b -> b.core(3).max(2)),
                bad("max must be from 1 to 32000, is 32001", b -> b.core(1).max(32_001)),
                bad("core must be from 1 to 32000, is 2147483647", b -> b.core(Integer.MAX_VALUE)),
                bad(
                        "onFull is DROP_OLDEST, but there is no bound; set capacity or capacityPerKey too",
                        b -> b.onFull(OnFull.dropOldest())),
                bad("coreBumpAfter must be 0 or more, is -1", b -> b.coreBumpAfter(-1)),
                bad("keepAlive must be positive, is PT0S", b -> b.keepAlive(Duration.ZERO)),
                bad("linger must be positive, is PT-1S", b -> b.linger(Duration.ofSeconds(-1))),
                bad("capacity must be at least 1, is 0", b -> b.capacity(0)),
                bad("capacityPerKey must be at least 1, is -5", b -> b.capacityPerKey(-5)),
                bad(
                        "onFull is CALLER_RUNS, which only a logical executor supports",
                        b -> b.onFull(OnFull.callerRuns())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badOptions")
    void build_badOption_isRefusedByItsValue(String message, UnaryOperator<SpindleBuilder> options) {
        assertThatThrownBy(() -> options.apply(Spindle.builder().core(2)).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void build_limits_areAccepted() {
        try (Spindle least = Spindle.builder()
                        .core(1)
                        .max(1)
                        .coreBumpAfter(0)
                        .capacity(1)
                        .build();
                Spindle most = Spindle.builder().core(32_000).max(32_000).build()) {
            assertThat(least.stats().max()).isEqualTo(1);
            assertThat(most.stats().max()).isEqualTo(32_000);
        }
    }

    @Test
    void build_maxBelowTheProcessors_takesTheSmallerForTheCore() {
        try (Spindle one = Spindle.builder().max(1).build();
                Spindle many = Spindle.builder().max(32_000).build()) {
            assertThat(one.stats().core()).isEqualTo(1);
            assertThat(one.stats().max()).isEqualTo(1);
            assertThat(many.stats().core()).isEqualTo(Runtime.getRuntime().availableProcessors());
        }
    }

    @Test
    void build_largeCoreAndNoMaximum_hasTheLargestMaximum() {
        try (Spindle spindle = Spindle.builder().core(5_000).build()) {
            assertThat(spindle.stats().core()).isEqualTo(5_000);
            assertThat(spindle.stats().max()).isEqualTo(32_000);
        }
    }

    @Test
    void build_policyWithoutABound_isRefusedForStrandsAndExecutorsToo() {
        try (Spindle spindle = Spindle.builder().capacityPerKey(5).build()) {
            assertThatThrownBy(() -> Strand.builder("own")
                            .onFull(OnFull.block(Duration.ofSeconds(1)))
                            .build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("onFull is block(PT1S), but there is no bound; set capacity too");
            assertThatThrownBy(() -> Strand.builder("shared")
                            .on(spindle)
                            .onFull(OnFull.dropOldest())
                            .group(2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("onFull is DROP_OLDEST, but there is no bound; set capacity too");
            assertThatThrownBy(() -> spindle.executor("reads")
                            .onFull(OnFull.callerRuns())
                            .build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("onFull is CALLER_RUNS, but there is no bound; set queueCapacity too");
        }
    }

    private static Arguments none(String option, ThrowingCallable use) {
        return Arguments.of(option, use);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the submit throws
    private static Stream<Arguments> missingTimes() {
        Duration none = unsafeNull();
        Duration second = Duration.ofSeconds(1);
        TimeUnit noUnit = unsafeNull();
        Runnable task = () -> {};
        return Stream.of(
                none("keepAlive", () -> Spindle.builder().keepAlive(none)),
                none("linger", () -> Spindle.builder().linger(none)),
                none("limit", () -> OnFull.block(none)),
                none("limit", () -> with(s -> s.keyed().at("a").submitAsync(CompletableFuture::new, none))),
                none("delay", () -> with(s -> s.keyed().at("a").schedule(task, none))),
                none("initialDelay", () -> with(s -> s.keyed().at("a").scheduleAtFixedRate(task, none, second))),
                none("period", () -> with(s -> s.strand("a").scheduleAtFixedRate(task, second, none))),
                none("delay", () -> with(s -> s.strand("a").scheduleWithFixedDelay(task, second, none))),
                none("quiet", () -> with(s -> s.strand("a").shutdownGracefully(none, second))),
                none("limit", () -> with(s -> s.strand("a").shutdownGracefully(second, none))),
                none("unit", () -> with(s -> s.schedule(task, 1, noUnit))),
                none("unit", () -> with(s -> s.awaitTermination(1, noUnit))));
    }

    private interface Use {
        void of(Spindle spindle) throws Exception;
    }

    private static void with(Use use) throws Exception {
        try (Spindle spindle = Spindle.builder().core(1).build()) {
            use.of(spindle);
        }
    }

    @ParameterizedTest
    @MethodSource("missingTimes")
    void time_null_isRefusedByTheNameOfTheOption(String option, ThrowingCallable use) {
        assertThatThrownBy(use).isInstanceOf(NullPointerException.class).hasMessage(option);
    }

    @Test
    void build_noMaximum_isTheLargerOf64AndEightTimesTheCore() {
        try (Spindle small = Spindle.builder().core(2).build();
                Spindle large = Spindle.builder().core(20).build()) {
            assertThat(small.stats().max()).isEqualTo(64);
            assertThat(large.stats().max()).isEqualTo(160);
        }
    }
}
