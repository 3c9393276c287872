// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import dev.spindle.internal.TimeLimit;
import dev.spindle.internal.executor.PartTimer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Time limits of other parts of the library, such as asks: they do not delay termination, and each declares its
 * reaction to a shutdown.
 */
@Timeout(60)
class PartTimerTest {
    private static final long HOUR = Duration.ofHours(1).toNanos();

    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final Spindle spindle = Spindle.builder()
            .coreThreads(1)
            .maxThreads(1)
            .onFailure((activity, failure) -> failures.add(failure))
            .build();
    private final List<String> told = new CopyOnWriteArrayList<>();

    private TimeLimit set(long nanos, @Nullable Runnable atShutdown) {
        return PartTimer.set(spindle.lanes(), nanos, () -> told.add("passed"), atShutdown);
    }

    @Test
    void a3_onlyWorkerIsBlocked_limitActs() {
        Gate gate = new Gate();
        spindle.execute(gate);
        gate.awaitEntered();
        CountDownLatch passed = new CountDownLatch(1);

        TimeLimit limit = PartTimer.set(spindle.lanes(), 1_000_000, passed::countDown, null);

        await(passed);
        assertThat(limit.cancel()).isFalse();
        gate.open();
        spindle.close();
    }

    @Test
    void cancel_beforeItIsDue_letsItNotActAndIsToldOnce() {
        TimeLimit limit = set(HOUR, null);

        assertThat(limit.cancel()).isTrue();
        assertThat(limit.cancel()).isFalse();
        spindle.shutdownNow();
        assertThat(told).isEmpty();
    }

    @Test
    void act_actionThatThrows_isReportedAndLaterLimitsAct() {
        CompletableFuture<@Nullable Void> next = new CompletableFuture<>();
        PartTimer.set(
                spindle.lanes(),
                1,
                () -> {
                    throw new IllegalStateException("expected");
                },
                null);
        PartTimer.set(spindle.lanes(), 2, () -> next.complete(null), null);

        result(next);
        until(() -> failures.size() == 1);
        assertThat(failures).singleElement().isInstanceOf(IllegalStateException.class);
        spindle.close();
    }

    @Test
    void d1_shutdown_endsThoseThatAShutdownEndsAndWaitsForNone() {
        TimeLimit ends = set(HOUR, () -> told.add("shut down"));
        TimeLimit goesOn = set(HOUR, null);

        spindle.close();

        assertThat(told).containsExactly("shut down");
        assertThat(ends.cancel()).isFalse();
        assertThat(goesOn.cancel()).isTrue();
    }

    @Test
    void d1_setAfterAShutdown_isEndedAtOnceOrGoesOn() {
        Gate gate = new Gate();
        spindle.execute(gate);
        gate.awaitEntered();
        spindle.shutdown();

        set(HOUR, () -> told.add("shut down"));
        TimeLimit goesOn = set(HOUR, null);

        assertThat(told).containsExactly("shut down");
        assertThat(goesOn.cancel()).isTrue();
        gate.open();
        spindle.close();
        assertThatThrownBy(() -> set(HOUR, null)).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void d1_shutdownNow_letsAllActAtOnce() {
        Gate gate = new Gate();
        spindle.execute(gate);
        gate.awaitEntered();
        set(HOUR, () -> told.add("shut down"));
        set(HOUR, null);

        assertThat(spindle.shutdownNow()).isEmpty();
        assertThat(told).containsExactlyInAnyOrder("shut down", "passed");
        spindle.close();
    }
}
