// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.internal.TimeLimit;
import dev.spindle.internal.TimeLimits;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TimeLimitTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());

    private Spindle spindle() {
        return Spindle.builder()
                .coreThreads(2)
                .onFailure((activity, failure) -> failures.add(failure))
                .build();
    }

    @Test
    void a2_limitThatPasses_runsOnceOnAWorkerAndNotBefore() throws Exception {
        List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch passed = new CountDownLatch(1);
        try (Spindle spindle = spindle()) {
            long begin = System.nanoTime();
            TimeLimit limit = TimeLimits.set(spindle, Duration.ofMillis(20), () -> {
                threads.add(Thread.currentThread());
                passed.countDown();
            });
            assertThat(passed.await(20, TimeUnit.SECONDS)).isTrue();

            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(20_000_000);
            assertThat(limit.cancel()).isFalse();
        }
        assertThat(threads).hasSize(1).doesNotContain(Thread.currentThread());
        assertThat(failures).isEmpty();
    }

    @Test
    void a2_limitThatIsCancelled_neverRunsAndDelaysNoShutdown() {
        AtomicInteger runs = new AtomicInteger();
        try (Spindle spindle = spindle()) {
            TimeLimit limit = TimeLimits.set(spindle, LONG, runs::incrementAndGet);
            assertThat(limit).asString().startsWith("time limit of spindle ");

            assertThat(limit.cancel()).isTrue();
            assertThat(limit.cancel()).isFalse();
            assertThat(limit).hasToString("time limit that has ended");
        } // at once

        assertThat(runs).hasValue(0);
    }

    @Test
    void f1_actionThatThrows_goesToTheFailureHandler() {
        IllegalStateException broken = new IllegalStateException("broken");
        try (Spindle spindle = spindle()) {
            TimeLimits.set(spindle, Duration.ofNanos(-1), () -> {
                throw broken;
            });
        }

        assertThat(failures).containsExactly(broken);
    }

    @Test
    void d1_shutdown_waitsForLimitsAndTakesNoMore() {
        AtomicInteger runs = new AtomicInteger();
        Spindle spindle = spindle();
        TimeLimits.set(spindle, Duration.ofMillis(50), runs::incrementAndGet);
        spindle.shutdown();

        assertThatThrownBy(() -> TimeLimits.set(spindle, LONG, runs::incrementAndGet))
                .isInstanceOf(RejectedExecutionException.class);
        spindle.close();
        assertThat(runs).hasValue(1);
    }

    @Test
    void d1_shutdownNow_runsTheActionsOfAllLimitsAndReturnsNoneOfThem() throws Exception {
        List<Thread> threads = new ArrayList<>();
        Spindle spindle = spindle();
        TimeLimit limit = TimeLimits.set(spindle, LONG, () -> threads.add(Thread.currentThread()));
        List<Runnable> tasks = spindle.shutdownNow();

        assertThat(tasks).isEmpty();
        assertThat(threads).containsExactly(Thread.currentThread());
        assertThat(limit.cancel()).isFalse();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void u3_limitThatWasCancelled_keepsNothingOfItsAction() {
        try (Spindle spindle = spindle()) {
            List<TimeLimit> kept = new ArrayList<>();
            WeakReference<Object> capture = cancelled(spindle, kept);
            for (int i = 0; i < 100 && capture.get() != null; i++) {
                System.gc();
            }

            assertThat(capture.get()).isNull();
            assertThat(kept).hasSize(1);
        }
    }

    private static WeakReference<Object> cancelled(Spindle spindle, List<TimeLimit> kept) {
        AtomicInteger capture = new AtomicInteger();
        TimeLimit limit = TimeLimits.set(spindle, LONG, () -> capture.set(1));
        kept.add(limit);
        limit.cancel();
        return new WeakReference<>(capture);
    }

    @Test
    void clock_ofASpindle_isTheOneThatItWasGiven() {
        try (Spindle spindle = Spindle.builder().clock(() -> 42).build()) {
            assertThat(spindle.nanoTime()).isEqualTo(42);
        }
    }
}
