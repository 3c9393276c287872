// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import dev.spindle.internal.TimeLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A3 and A4: a time limit acts whatever is queued, and begins without the interrupt and context of earlier code. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the limits are checked
class TimeLimitContractTest {
    private static final Duration SOON = Duration.ofMillis(20);

    @RegisterExtension
    final Spindles spindles = new Spindles();

    private Spindle one() {
        return spindles.of(spindles.builder().name("limits").coreThreads(1).maxThreads(1));
    }

    @Test
    void a3_onlyWorkerIsBlocked_limitOfAnAsyncTaskActs() {
        Spindle spindle = one();
        CompletableFuture<?> limited = spindle.keyed("keys").at("async").submitAsync(CompletableFuture::new, SOON);
        Gate gate = new Gate();
        spindle.execute(gate);

        assertThatThrownBy(limited::join).hasRootCauseInstanceOf(TimeoutException.class);
        gate.open();
    }

    @Test
    void a3_onlyWorkerIsBlocked_actionRunsOnAThreadOfTheSpindle() {
        Spindle spindle = one();
        Gate gate = new Gate();
        spindle.execute(gate);
        gate.awaitEntered();
        CompletableFuture<String> thread = new CompletableFuture<>();
        CompletableFuture<Throwable> close = new CompletableFuture<>();

        TimeLimits.set(spindle, SOON, () -> {
            thread.complete(Thread.currentThread().getName());
            try {
                spindle.close();
            } catch (IllegalStateException e) {
                close.complete(e);
            }
        });

        assertThat(result(thread)).startsWith("limits-");
        assertThat(result(close)).isInstanceOf(IllegalStateException.class);
        gate.open();
    }

    /** The queued tasks would take minutes, and keep the workers busy throughout. */
    @Test
    void a3_computingTasksAreQueued_limitsDoNotWaitBehindThem() {
        Spindle spindle = spindles.of(Spindles.options().name("limits"));
        AtomicBoolean ended = new AtomicBoolean();
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 10_000; i++) {
            spindle.execute(() -> {
                ran.incrementAndGet();
                long end = System.nanoTime() + 50_000_000;
                while (System.nanoTime() - end < 0 && !ended.get()) {
                    Thread.onSpinWait();
                }
            });
        }

        CompletableFuture<?> limited = spindle.keyed("keys").at("async").submitAsync(CompletableFuture::new, SOON);
        CompletableFuture<Boolean> passed = new CompletableFuture<>();
        TimeLimits.set(spindle, SOON, () -> passed.complete(true));

        assertThat(result(passed)).isTrue();
        assertThat(ran).as("far from all have run").hasValueLessThan(5_000);
        ended.set(true);
        assertThatThrownBy(limited::join).hasRootCauseInstanceOf(TimeoutException.class);
    }

    @Test
    void a3_actionThatBlocks_laterLimitsAreAWorkersToDo() {
        Spindle spindle = one();
        Gate gate = new Gate();
        CompletableFuture<Boolean> later = new CompletableFuture<>();
        TimeLimits.set(spindle, Duration.ZERO, gate);
        gate.awaitEntered();

        TimeLimits.set(spindle, SOON, () -> later.complete(true));

        assertThat(result(later)).isTrue();
        gate.open();
    }

    /** One action blocks the thread that acts on limits, the other one the worker that takes over. */
    @Test
    void a3_twoActionsThatBlock_laterLimitsAreAnotherWorkersToDo() {
        Spindle spindle =
                spindles.of(spindles.builder().name("limits").coreThreads(2).maxThreads(2));
        Gate first = new Gate();
        TimeLimits.set(spindle, Duration.ZERO, first);
        first.awaitEntered();
        Gate second = new Gate();
        TimeLimits.set(spindle, Duration.ZERO, second);
        second.awaitEntered();
        CompletableFuture<Boolean> later = new CompletableFuture<>();

        TimeLimits.set(spindle, SOON, () -> later.complete(true));

        assertThat(result(later)).isTrue();
        first.open();
        second.open();
    }

    /** The limits act one after the other on one thread, or on a worker that has run a task before. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a4_interruptLeftBehind_limitBeginsWithoutIt(boolean byAWorker) {
        Spindle spindle = one();
        Gate gate = new Gate();
        if (byAWorker) {
            TimeLimits.set(spindle, Duration.ZERO, gate);
            gate.awaitEntered();
        }
        for (int i = 0; i < 20; i++) {
            CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
            spindle.execute(() -> Thread.currentThread().interrupt());

            TimeLimits.set(spindle, Duration.ZERO, () -> {
                interrupted.complete(Thread.currentThread().isInterrupted());
                Thread.currentThread().interrupt();
            });

            assertThat(result(interrupted)).isFalse();
        }
        gate.open();
    }

    /** The actions run one after the other on one thread, which does not park in between. */
    @Test
    void a4_manyLimitsDueAtOnceThatLeaveInterrupts_eachBeginsWithoutOne() {
        Spindle spindle = one();
        Gate gate = new Gate();
        spindle.execute(gate);
        gate.awaitEntered();
        List<CompletableFuture<Boolean>> interrupted = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            CompletableFuture<Boolean> seen = new CompletableFuture<>();
            interrupted.add(seen);
            TimeLimits.set(spindle, SOON, () -> {
                seen.complete(Thread.currentThread().isInterrupted());
                Thread.currentThread().interrupt();
            });
        }
        for (CompletableFuture<Boolean> seen : interrupted) {
            assertThat(result(seen)).isFalse();
        }
        gate.open();
    }

    @Test
    void a4_contextOfTheThreadThatSetsALimit_isThatOfItsAction() {
        ThreadLocal<@Nullable String> current = new ThreadLocal<>();
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).taskDecorator(new TestDecorator() {
            @Override
            public @Nullable Object capture() {
                return current.get();
            }

            @Override
            public Runnable restore(@Nullable Object captured) {
                current.set((String) captured);
                return current::remove;
            }
        }));
        CompletableFuture<@Nullable String> seen = new CompletableFuture<>();
        CompletableFuture<@Nullable String> seenAtTheEnd = new CompletableFuture<>();
        current.set("of the limit");
        TimeLimits.set(spindle, Duration.ZERO, () -> seen.complete(current.get()));
        TimeLimits.set(spindle, Duration.ofHours(1), () -> seenAtTheEnd.complete(current.get()));
        current.set("of the caller");

        assertThat(result(seen)).isEqualTo("of the limit");
        spindle.shutdownNow();
        assertThat(result(seenAtTheEnd)).isEqualTo("of the limit");
    }
}
