// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code shutdownNow}: returns tasks that have not begun, and interrupts running ones. */
@SuppressWarnings("FutureReturnValueIgnored") // the tests look at the tasks
abstract class ShutdownNowContract extends ServiceContract<ExecutorService> {
    private final AtomicInteger runs = new AtomicInteger();

    ShutdownNowContract(Subject<? extends ExecutorService> subject) {
        super(subject);
    }

    @ParameterizedTest(name = "after shutdown: {0}")
    @ValueSource(booleans = {false, true})
    void shutdownNow_executedTasks_areGivenBackAndNeverRun(boolean shut) throws Exception {
        List<Gate> places = occupy();
        List<Runnable> tasks = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Runnable task = () -> runs.addAndGet(1);
            tasks.add(task);
            executor.execute(task);
        }
        if (shut) {
            executor.shutdown();
        }

        List<Runnable> returned = executor.shutdownNow();

        if (has(Trait.SHUTDOWN_NOW_RETURNS_NOTHING)) {
            assertThat(returned).isEmpty();
        } else if (has(Trait.SHUTDOWN_NOW_RETURNS_WRAPPERS)) {
            assertThat(returned).hasSameSizeAs(tasks).doesNotHaveDuplicates().doesNotContainAnyElementsOf(tasks);
        } else if (concurrency() == 1) {
            assertThat(returned).containsExactlyElementsOf(tasks);
        } else {
            assertThat(returned).containsExactlyInAnyOrderElementsOf(tasks);
        }
        assertThat(executor.isShutdown()).isTrue();
        assertThat(executor.shutdownNow()).isEmpty();
        open(places);
        assertTerminates();
        assertThat(runs).hasValue(0);
    }

    @Test
    void shutdownNow_submittedTasks_areGivenBackOnceEach() throws Exception {
        occupy();
        List<Future<?>> futures = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Runnable task = () -> runs.addAndGet(1);
            futures.add(executor.submit(task));
            futures.add(executor.submit(task, "result"));
            futures.add(executor.submit(runs::incrementAndGet));
        }

        List<Runnable> returned = executor.shutdownNow();

        assertThat(returned).hasSize(has(Trait.SHUTDOWN_NOW_RETURNS_NOTHING) ? 0 : futures.size());
        assertTerminates();
        assertThat(runs).hasValue(0);
        for (Future<?> future : futures) {
            if (has(Trait.SHUTDOWN_NOW_LEAVES_FUTURES_OPEN)) {
                assertPending(future);
            } else {
                assertCancelled(future);
            }
        }
    }

    @Test
    void shutdownNow_whileOthersWaitInGet_wakesThem() throws Exception {
        unless(Trait.SHUTDOWN_NOW_LEAVES_FUTURES_OPEN);
        occupy();
        Future<Integer> future = executor.submit(runs::incrementAndGet);
        Caller<Integer> waiter = call(() -> future.get());
        untilWaiting(waiter);

        executor.shutdownNow();

        assertThat(failure(waiter)).isInstanceOf(CancellationException.class);
    }

    @Test
    void shutdownNow_tasksThatRun_areInterruptedAndNotGivenBack() throws Exception {
        List<Gate> places = occupy();

        assertThat(executor.shutdownNow()).isEmpty();

        for (Gate place : places) {
            await(place.interrupted());
        }
        assertTerminates();
    }

    @Test
    void shutdownNow_taskThatIgnoresInterrupts_holdsTermination() throws Exception {
        Gate stubborn = gate(true);
        Future<String> future = executor.submit(stubborn, "result");
        await(stubborn.entered());

        executor.shutdownNow();

        await(stubborn.interrupted());
        assertStillEnding();
        stubborn.open();
        assertTerminates();
        assertThat(future.isDone()).isTrue();
    }

    @Test
    void shutdownNow_byATask_givesBackTheRest() throws Exception {
        CompletableFuture<List<Runnable>> returned = new CompletableFuture<>();
        List<Gate> places = new ArrayList<>();
        Gate first = gate();
        executor.execute(() -> {
            first.run();
            for (int i = 0; i < 5; i++) {
                executor.execute(runs::incrementAndGet);
            }
            returned.complete(executor.shutdownNow());
        });
        await(first.entered());
        for (int i = 1; i < concurrency(); i++) {
            Gate gate = gate();
            places.add(gate);
            executor.execute(gate);
            await(gate.entered());
        }

        first.open();

        List<Runnable> given = result(returned);
        assertThat(given).hasSize(has(Trait.SHUTDOWN_NOW_RETURNS_NOTHING) ? 0 : 5);
        assertTerminates();
        assertThat(runs).hasValue(0);
        assertThat(places).allMatch(Gate::wasInterrupted);
    }

    @Test
    void shutdownNow_cancelledTasks_neverRun() throws Exception {
        List<Gate> places = occupy();
        Future<Integer> cancelled = executor.submit(runs::incrementAndGet);
        cancelled.cancel(false);

        executor.shutdownNow().forEach(task -> {
            if (task instanceof Future<?> future) {
                assertThat(future.isDone()).isTrue();
            }
        });

        open(places);
        assertTerminates();
        assertThat(runs).hasValue(0);
    }

    @Test
    void shutdownNow_awaitedByAnother_wakesIt() throws Exception {
        occupy();
        Caller<Boolean> waiter = call(() -> executor.awaitTermination(timeout(), NANOSECONDS));
        untilWaiting(waiter);

        executor.shutdownNow();

        assertThat(result(waiter)).isTrue();
    }

    @Test
    void get_ofATaskGivenBack_neverGivesAResult() throws Exception {
        occupy();
        Future<Integer> future = executor.submit(runs::incrementAndGet);

        executor.shutdownNow();

        assertTerminates();
        assertThatThrownBy(() -> future.get(1, NANOSECONDS))
                .isInstanceOfAny(TimeoutException.class, CancellationException.class);
    }
}
