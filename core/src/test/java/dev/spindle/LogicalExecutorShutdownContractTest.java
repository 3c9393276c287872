// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.spindle.TestSupport.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** D1 for logical executors: each has its own shutdown, and that of the spindle shuts down all. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes of the tasks are checked by other means
class LogicalExecutorShutdownContractTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final List<Gate> gates = new ArrayList<>();
    private final AtomicInteger ran = new AtomicInteger();

    @AfterEach
    void open() {
        gates.forEach(Gate::open);
    }

    private Gate occupy(Executor executor) {
        Gate gate = new Gate();
        gates.add(gate);
        executor.execute(gate);
        return gate.awaitEntered();
    }

    private LogicalExecutor single(Spindle spindle) {
        return spindle.executor("single", 1);
    }

    private static void assertTerminates(LogicalExecutor executor) throws InterruptedException {
        assertThat(executor.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(executor.isTerminated()).isTrue();
        assertThat(executor.isShutdown()).isTrue();
    }

    @Test
    void d1_shutdown_runsAllAcceptedAndLeavesOthersAlone() throws InterruptedException {
        Spindle spindle = spindles.spindle();
        LogicalExecutor executor = single(spindle);
        LogicalExecutor other = spindle.executorBuilder("other").build();
        Gate gate = occupy(executor);
        List<CompletableFuture<?>> futures = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            futures.add(executor.submit(ran::incrementAndGet));
        }
        executor.shutdown();
        executor.shutdown();
        assertThat(executor.isShutdown()).isTrue();
        assertThat(executor.isTerminated()).isFalse();
        assertThat(executor.awaitTermination(1, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(executor.awaitTermination(-1, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(result(other.submit(() -> "open"))).isEqualTo("open");
        gate.open();
        assertTerminates(executor);
        assertThat(ran).hasValue(1_000);
        assertThat(futures).allMatch(f -> f.isDone() && !f.isCompletedExceptionally());
        assertThat(other.isShutdown()).isFalse();
        assertThat(spindle.isShutdown()).isFalse();
    }

    @Test
    void d1_isTerminated_onlyWhenNothingRuns() throws InterruptedException {
        LogicalExecutor executor = spindles.spindle().executor("e", 3);
        AtomicInteger early = new AtomicInteger();
        for (int i = 0; i < 500; i++) {
            executor.execute(() -> {
                ran.incrementAndGet();
                if (executor.isTerminated()) {
                    early.incrementAndGet();
                }
            });
        }
        executor.shutdown();
        assertTerminates(executor);
        assertThat(ran).hasValue(500);
        assertThat(early).hasValue(0);
        assertThat(executor.stats().running()).isZero();
    }

    @Test
    void d1_neverUsed_terminatesAtOnce() {
        Spindle spindle = spindles.spindle();
        LogicalExecutor executor = single(spindle);
        executor.shutdown();
        assertThat(executor.isTerminated()).isTrue();
        assertThat(single(spindle).shutdownNow()).isEmpty();
        assertThat(spindle.stats().threads()).isZero();
    }

    @Test
    void d1_shutdownNow_returnsTheUsersObjectsInOrderAndCancelsFutures() throws InterruptedException {
        LogicalExecutor executor = single(spindles.spindle());
        Gate gate = occupy(executor);
        Runnable first = ran::incrementAndGet;
        Runnable second = ran::incrementAndGet;
        Runnable late = ran::incrementAndGet;
        executor.execute(first);
        CompletableFuture<?> future = executor.submit(second);
        CompletableFuture<Integer> call = executor.submit(ran::incrementAndGet);
        ScheduledFuture<?> delayed = executor.schedule(late, 1, TimeUnit.HOURS);
        List<Runnable> returned = executor.shutdownNow();
        assertThat(returned).containsExactly(first, second, (Runnable) call, late);
        assertThat(List.of(future, call, (Future<?>) delayed)).allMatch(f -> f.isCancelled());
        assertThat(executor.shutdownNow()).isEmpty();
        gate.open();
        assertTerminates(executor);
        assertThat(ran).hasValue(0);
        assertThat(executor.stats().accepted()).isEqualTo(4);
    }

    @Test
    void d1_shutdownNow_interruptsItsOwnTasksOnly() throws InterruptedException {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(4).maxThreads(8));
        LogicalExecutor two = spindle.executor("two", 2);
        LogicalExecutor other = spindle.executorBuilder("other").build();
        CountDownLatch interrupted = new CountDownLatch(2);
        CountDownLatch started = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            two.execute(() -> {
                started.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                }
            });
        }
        await(started);
        Gate ofOther = new Gate();
        gates.add(ofOther);
        CompletableFuture<Boolean> otherHit = other.submit(() -> {
            ofOther.run();
            return Thread.currentThread().isInterrupted();
        });
        Gate ofLane = new Gate();
        gates.add(ofLane);
        CompletableFuture<Boolean> laneHit = spindle.keyed("keys").submit("key", () -> {
            ofLane.run();
            return Thread.currentThread().isInterrupted();
        });
        ofOther.awaitEntered();
        ofLane.awaitEntered();
        two.shutdownNow();
        await(interrupted);
        assertTerminates(two);
        ofOther.open();
        ofLane.open();
        assertThat(result(otherHit)).isFalse();
        assertThat(result(laneHit)).isFalse();
    }

    @Test
    void d1_shutdownNow_interruptNeverHitsTheNextTaskOfTheWorker() throws InterruptedException {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(2).maxThreads(2));
        AtomicInteger hit = new AtomicInteger();
        for (int i = 0; i < 2_000; i++) {
            LogicalExecutor executor = single(spindle);
            executor.execute(ran::incrementAndGet);
            spindle.execute(() -> {
                for (int spins = 0; spins < 50; spins++) {
                    Thread.onSpinWait();
                }
                if (Thread.currentThread().isInterrupted()) {
                    hit.incrementAndGet();
                }
            });
            executor.shutdownNow();
        }
        result(spindle.submit(() -> {}));
        assertThat(hit).hasValue(0);
    }

    @Test
    void d1_shutdownFromATask_terminates() throws InterruptedException {
        LogicalExecutor executor = single(spindles.spindle());
        executor.execute(() -> {
            executor.execute(ran::incrementAndGet);
            executor.shutdown();
            assertThatThrownBy(() -> executor.execute(ran::incrementAndGet))
                    .isInstanceOf(RejectedExecutionException.class);
        });
        until(executor::isShutdown);
        assertTerminates(executor);
        assertThat(ran).hasValue(1);
    }

    @Test
    void d1_shutdownNowFromATask_interruptsItselfAndTerminates() throws InterruptedException {
        LogicalExecutor executor = single(spindles.spindle());
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Gate gate = occupy(executor);
        executor.execute(() -> {
            executor.shutdownNow();
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        executor.execute(ran::incrementAndGet);
        gate.open();
        assertThat(result(interrupted)).isTrue();
        assertTerminates(executor);
        assertThat(ran).hasValue(0);
    }

    @Test
    void d1_close_waitsAndLeavesTheSpindleAlone() {
        Spindle spindle = spindles.spindle();
        try (LogicalExecutor executor = single(spindle)) {
            for (int i = 0; i < 100; i++) {
                executor.execute(ran::incrementAndGet);
            }
        }
        assertThat(ran).hasValue(100);
        assertThat(result(spindle.submit(() -> "open"))).isEqualTo("open");
    }

    @Test
    void d1_close_fromAnOwnTask_throws() {
        LogicalExecutor executor = single(spindles.spindle());
        CompletableFuture<Throwable> thrown = executor.submit(() -> catchThrowable(executor::close));
        assertThat(result(thrown))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("single")
                .hasMessageContaining("shutdown()");
        assertThat(executor.isShutdown()).isFalse();
    }

    @Test
    void d1_close_fromATaskOfAnotherExecutor_waits() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).maxThreads(2));
        LogicalExecutor executor = single(spindle);
        executor.execute(ran::incrementAndGet);
        result(spindle.executorBuilder("other").build().submit(() -> executor.close()));
        assertThat(executor.isTerminated()).isTrue();
        assertThat(ran).hasValue(1);
    }

    @Test
    void d1_close_interrupted_becomesShutdownNowAndKeepsTheFlag() throws InterruptedException {
        LogicalExecutor executor = single(spindles.spindle());
        occupy(executor);
        executor.execute(ran::incrementAndGet);
        Thread.currentThread().interrupt();
        executor.close();
        assertThat(Thread.interrupted()).isTrue();
        assertTerminates(executor);
        assertThat(ran).hasValue(0);
    }

    @Test
    void d1_awaitTermination_honoursInterrupts() {
        LogicalExecutor executor = single(spindles.spindle());
        occupy(executor);
        executor.shutdown();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> executor.awaitTermination(20, TimeUnit.SECONDS))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void d1_delayedTasks_oneShotsRunAndPeriodicOnesAreCancelled() throws InterruptedException {
        LogicalExecutor executor = single(spindles.spindle());
        long begin = System.nanoTime();
        ScheduledFuture<?> once = executor.schedule(ran::incrementAndGet, 60, TimeUnit.MILLISECONDS);
        ScheduledFuture<?> rate = executor.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.HOURS);
        executor.shutdown();
        assertThat(rate.isCancelled()).isTrue();
        if (executor.isTerminated()) { // if the machine paused
            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(60));
        }
        assertTerminates(executor);
        assertThat(ran).hasValue(1);
        assertThat(once.isCancelled()).isFalse();
    }

    @Test
    void d1_shutdownOfTheSpindle_endsItsExecutors() throws InterruptedException {
        Spindle spindle = spindles.spindle();
        LogicalExecutor busy = single(spindle);
        LogicalExecutor idle = spindle.executorBuilder("idle").build();
        Gate gate = occupy(busy);
        CompletableFuture<Integer> waiting = busy.submit(ran::incrementAndGet);
        busy.schedule(ran::incrementAndGet, 20, TimeUnit.MILLISECONDS);
        busy.scheduleAtFixedRate(ran::incrementAndGet, 1, 1, TimeUnit.HOURS);
        spindle.shutdown();
        assertThat(idle.isTerminated()).isTrue();
        assertThat(busy.isShutdown()).isTrue();
        assertThatThrownBy(() -> busy.execute(ran::incrementAndGet)).isInstanceOf(RejectedExecutionException.class);
        assertThat(spindle.awaitTermination(20, TimeUnit.MILLISECONDS)).isFalse();
        LogicalExecutor late = spindle.executorBuilder("late").build();
        assertThat(late.isTerminated()).isTrue();
        assertThatThrownBy(() -> late.execute(ran::incrementAndGet)).isInstanceOf(RejectedExecutionException.class);
        gate.open();
        assertTerminates(busy);
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(waiting).isCompleted();
        assertThat(ran).hasValue(2);
    }

    @Test
    void d1_shutdownNowOfTheSpindle_returnsWhatItsExecutorsHadWaiting() throws InterruptedException {
        Spindle spindle = spindles.spindle();
        LogicalExecutor executor = single(spindle);
        occupy(executor);
        Runnable first = ran::incrementAndGet;
        Runnable second = ran::incrementAndGet;
        Runnable late = ran::incrementAndGet;
        executor.execute(first);
        CompletableFuture<?> future = executor.submit(second);
        executor.schedule(late, 1, TimeUnit.HOURS);
        assertThat(spindle.shutdownNow()).containsExactly(first, second, late);
        assertThat(future).isCancelled();
        assertTerminates(executor); // its task was interrupted
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).hasValue(0);
    }
}
