// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.TestSupport.Gate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** N1: a turn does not exceed its quantum, even if short tasks are followed by long ones. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class QuantumContractTest {
    private static final int SHORT = 2_000;
    private static final int ROUNDS = 4;
    private static final int LONG = 60;

    /**
     * The tasks of about two periods of the clock thread, and a few more for a busy machine. Without that thread there
     * would be up to 32.
     */
    private static final int FEW = 12;

    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final AtomicInteger longTasks = new AtomicInteger();

    /** An executor that runs in turns. */
    @SuppressWarnings("ImmutableEnumChecker")
    enum Kind {
        KEY,
        STRAND,
        EXECUTOR;

        Executor on(Spindle spindle) {
            return switch (this) {
                case KEY -> spindle.keyed("keys").at("busy");
                case STRAND -> spindle.strand("busy");
                case EXECUTOR -> spindle.executor("busy", 1);
            };
        }
    }

    /** Takes long by waiting, since computing would take even longer on a busy machine. */
    private void takeLong() {
        longTasks.incrementAndGet();
        long end = System.nanoTime() + 10_000_000;
        for (long left = 10_000_000; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /**
     * Runs short tasks, then long ones, of which the first makes other work ready. Returns the number of long tasks
     * that ran before that work. The short tasks must be so short that the worker rarely reads its clock.
     */
    private int tasksBefore(Kind kind, BiConsumer<Spindle, Runnable> makeReady) {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        Executor busy = kind.on(spindle);
        for (int i = 0; i < 100_000; i++) { // until the code is compiled
            busy.execute(() -> {});
        }
        int most = 0;
        for (int round = 0; round < ROUNDS; round++) {
            longTasks.set(0);
            most = Math.max(most, tasksBefore(spindle, busy, round, makeReady));
        }
        return most;
    }

    private int tasksBefore(Spindle spindle, Executor busy, int round, BiConsumer<Spindle, Runnable> makeReady) {
        Gate gate = new Gate();
        busy.execute(gate);
        gate.awaitEntered();
        CompletableFuture<Integer> seen = new CompletableFuture<>();
        for (int i = 0; i < SHORT + 8 * round; i++) {
            busy.execute(() -> {});
        }
        busy.execute(() -> {
            makeReady.accept(spindle, () -> seen.complete(longTasks.get()));
            takeLong();
        });
        for (int i = 1; i < LONG; i++) {
            busy.execute(this::takeLong);
        }
        CompletableFuture<Boolean> last = new CompletableFuture<>();
        busy.execute(() -> last.complete(true));
        gate.open();
        int before = result(seen);
        assertThat(result(last)).isTrue();
        return before;
    }

    @ParameterizedTest
    @EnumSource
    void n1_longTasksAfterShortOnes_anotherKeyWaitsForFew(Kind kind) {
        assertThat(tasksBefore(kind, (spindle, task) -> spindle.keyed("keys").execute("other", task)))
                .isBetween(1, FEW);
    }

    @ParameterizedTest
    @EnumSource
    void n1_longTasksAfterShortOnes_dueTimerWaitsForFew(Kind kind) {
        assertThat(tasksBefore(
                        kind,
                        (spindle, task) -> spindle.keyed("keys").at("other").schedule(task, 1, TimeUnit.MILLISECONDS)))
                .isBetween(1, FEW);
    }

    /** Callbacks of quiesce run in the lane like tasks. */
    @Test
    void n1_longCallbacksOfQuiesce_plainTaskWaitsForFew() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        Lane busy = spindle.keyed("keys").at("busy");
        assertThat(callbacksBefore(spindle, busy, callback -> busy.quiesce().thenRun(callback), () -> {}))
                .isBetween(1, FEW);
    }

    /**
     * Runs callbacks, of which the first makes a plain task ready. Returns the number of callbacks that ran before it.
     */
    private int callbacksBefore(Spindle spindle, Lane busy, Consumer<Runnable> add, Runnable end) {
        Gate gate = new Gate();
        busy.execute(gate);
        gate.awaitEntered();
        CompletableFuture<Integer> seen = new CompletableFuture<>();
        add.accept(() -> {
            spindle.execute(() -> seen.complete(longTasks.get()));
            takeLong();
        });
        for (int i = 1; i < LONG; i++) {
            add.accept(this::takeLong);
        }
        end.run();
        gate.open();
        return result(seen);
    }
}
