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
    private static final String RANGE =
            "maxThreads must be from 1 to 32000, or to 1000000 with virtual auxiliary threads, is ";

    private static Arguments bad(String message, UnaryOperator<SpindleBuilder> options) {
        return Arguments.of(message, options);
    }

    private static Stream<Arguments> badOptions() {
        return Stream.of(
                bad(RANGE + 0, b -> b.maxThreads(0)),
                bad(RANGE + 1_000_001, b -> b.maxThreads(1_000_001)),
                bad(RANGE + 32_001, b -> b.maxThreads(32_001).auxiliaryThreadFactory(Thread::new)),
                bad(RANGE + 1_000_000, b -> b.maxThreads(1_000_000).auxiliaryThreadFactory(task -> null)),
                bad("coreThreads must be from 1 to 32000, is 0", b -> b.coreThreads(0)),
                bad(
                        "maxThreads must be at least coreThreads, is 2 with coreThreads 3;"
                                + " raise maxThreads or lower coreThreads",
                        b -> b.coreThreads(3).maxThreads(2)),
                bad(RANGE + 32_001, b -> b.coreThreads(1).maxThreads(32_001)),
                bad("coreThreads must be from 1 to 32000, is 2147483647", b -> b.coreThreads(Integer.MAX_VALUE)),
                bad("growCoreAfter must be 0 or more, is -1", b -> b.growCoreAfter(-1)),
                bad("keepAlive must be positive, is PT0S", b -> b.keepAlive(Duration.ZERO)),
                bad("keyKeepAlive must be positive, is PT-1S", b -> b.keyKeepAlive(Duration.ofSeconds(-1))),
                bad("capacity must be at least 1, is 0", b -> b.capacity(0, OnFull.reject())),
                bad(
                        "policy is CALLER_RUNS, which only a logical executor supports",
                        b -> b.capacity(1, OnFull.callerRuns())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badOptions")
    void build_badOption_isRefusedByItsValue(String message, UnaryOperator<SpindleBuilder> options) {
        assertThatThrownBy(() -> options.apply(Spindle.builder().coreThreads(2)).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void build_limits_areAccepted() {
        try (Spindle least = Spindle.builder()
                        .coreThreads(1)
                        .maxThreads(1)
                        .growCoreAfter(0)
                        .capacity(1, OnFull.reject())
                        .build();
                Spindle most =
                        Spindle.builder().coreThreads(32_000).maxThreads(32_000).build()) {
            assertThat(least.stats().maxThreads()).isEqualTo(1);
            assertThat(most.stats().maxThreads()).isEqualTo(32_000);
        }
    }

    @Test
    void build_maxBelowTheProcessors_takesTheSmallerForTheCore() {
        try (Spindle one = Spindle.builder().maxThreads(1).build();
                Spindle many = Spindle.builder().maxThreads(32_000).build()) {
            assertThat(one.stats().coreThreads()).isEqualTo(1);
            assertThat(one.stats().maxThreads()).isEqualTo(1);
            assertThat(many.stats().coreThreads())
                    .isEqualTo(Runtime.getRuntime().availableProcessors());
        }
    }

    @Test
    void build_largeCoreAndNoMaximum_hasTheLargestMaximum() {
        try (Spindle spindle = Spindle.builder().coreThreads(5_000).build()) {
            assertThat(spindle.stats().coreThreads()).isEqualTo(5_000);
            assertThat(spindle.stats().maxThreads()).isEqualTo(32_000);
        }
    }

    private static Arguments none(String option, ThrowingCallable use) {
        return Arguments.of(option, use);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the submit throws
    private static Stream<Arguments> missingTimes() {
        Duration none = unsafeNull();
        TimeUnit noUnit = unsafeNull();
        Runnable task = () -> {};
        return Stream.of(
                none("keepAlive", () -> Spindle.builder().keepAlive(none)),
                none("keyKeepAlive", () -> Spindle.builder().keyKeepAlive(none)),
                none("limit", () -> OnFull.block(none)),
                none("timeout", () -> with(s -> s.keyed("keys").at("a").submitAsync(CompletableFuture::new, none))),
                none("quietPeriod", () -> with(s -> s.strandBuilder("a").quietPeriod(none))),
                none("unit", () -> with(s -> s.schedule(task, 1, noUnit))),
                none("unit", () -> with(s -> s.awaitTermination(1, noUnit))));
    }

    private interface Use {
        void of(Spindle spindle) throws Exception;
    }

    private static void with(Use use) throws Exception {
        try (Spindle spindle = Spindle.builder().coreThreads(1).build()) {
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
        try (Spindle small = Spindle.builder().coreThreads(2).build();
                Spindle large = Spindle.builder().coreThreads(20).build()) {
            assertThat(small.stats().maxThreads()).isEqualTo(64);
            assertThat(large.stats().maxThreads()).isEqualTo(160);
        }
    }
}
