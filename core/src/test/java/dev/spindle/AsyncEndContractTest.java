// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A1 and D1: an async task ends when its future completes in any way, and at a {@code shutdownNow}. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class AsyncEndContractTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final CompletableFuture<String> stage = new CompletableFuture<>();
    private final CountDownLatch opened = new CountDownLatch(1);

    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    enum End {
        COMPLETE(future -> future.complete("by hand")),
        COMPLETE_EXCEPTIONALLY(future -> future.completeExceptionally(new IllegalStateException("by hand"))),
        COMPLETE_ASYNC(future -> future.completeAsync(() -> "by hand")),
        COMPLETE_ON_TIMEOUT(future -> future.completeOnTimeout("late", 1, TimeUnit.MILLISECONDS)),
        OR_TIMEOUT(future -> future.orTimeout(1, TimeUnit.MILLISECONDS)),
        OBTRUDE_VALUE(future -> future.obtrudeValue("by hand")),
        OBTRUDE_EXCEPTION(future -> future.obtrudeException(new IllegalStateException("by hand"))),
        CANCEL(future -> future.cancel(false)),
        CANCEL_WITH_INTERRUPT(future -> future.cancel(true));

        private final Consumer<CompletableFuture<String>> action;

        End(Consumer<CompletableFuture<String>> action) {
            this.action = action;
        }
    }

    private CompletableFuture<String> open(Lane lane) {
        CompletableFuture<String> future = lane.submitAsync(
                () -> {
                    opened.countDown();
                    return stage.minimalCompletionStage();
                },
                Duration.ofMinutes(5));
        await(opened);
        until(() -> lane.activity().thread() == null);
        return future;
    }

    @ParameterizedTest
    @EnumSource
    void a1_futureEnds_freesTheKey(End end) {
        Lane lane = spindles.spindle().keyed("keys").at("key");
        CompletableFuture<String> future = open(lane);
        CompletableFuture<String> next = lane.submit(() -> "next");
        assertThat(next).isNotDone();
        end.action.accept(future);
        assertThat(result(next)).isEqualTo("next");
        assertThat(stage).isNotDone();
        stage.complete("too late");
        assertThat(result(lane.submit(() -> "after"))).isEqualTo("after");
    }

    @ParameterizedTest
    @EnumSource
    void a1_futureEndsWhileTheSupplierRuns_freesTheKey(End end) {
        Lane lane = spindles.spindle().keyed("keys").at("key");
        CountDownLatch ended = new CountDownLatch(1);
        CompletableFuture<String> future = lane.submitAsync(() -> {
            opened.countDown();
            while (ended.getCount() > 0) {
                Thread.onSpinWait(); // an interrupt does not end it
            }
            return stage.minimalCompletionStage();
        });
        await(opened);
        end.action.accept(future);
        until(future::isDone);
        ended.countDown();
        assertThat(result(lane.submit(() -> "next"))).isEqualTo("next");
    }

    @ParameterizedTest
    @ValueSource(strings = {"key", "strand", "strand of its own"})
    void d1_shutdownNow_cancelsOpenTasksAndReturnsWhatWaits(String kind) throws InterruptedException {
        Spindle spindle = spindles.spindle();
        Strand own = Strand.builder("own").build();
        Lane lane = switch (kind) {
            case "key" -> spindle.keyed("keys").at("key");
            case "strand" -> spindle.strand("strand");
            default -> own;
        };
        CompletableFuture<String> future = open(lane);
        List<Runnable> tasks = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Runnable task = () -> {};
            tasks.add(task);
            lane.execute(task);
        }
        if (lane instanceof Strand strand) {
            assertThat(strand.shutdownNow()).isEqualTo(tasks);
            assertThat(future).isCancelled();
            assertThat(strand.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        } else {
            assertThat(spindle.shutdownNow()).isEqualTo(tasks);
            assertThat(future).isCancelled();
            assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
        own.close();
    }

    @Test
    void d1_shutdownNowWhileTasksOpen_endsAll() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            Spindle spindle = Spindles.options().coreThreads(2).build();
            List<CompletableFuture<String>> futures = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                futures.add(spindle.<Integer>keyed("keys").submitAsync(i, () -> stage.minimalCompletionStage()));
            }
            spindle.shutdownNow();
            assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
            assertThat(futures).allMatch(CompletableFuture::isCancelled);
        }
    }

    @Test
    void d1_interruptedClose_cancelsOpenTasks() {
        Spindle spindle = Spindle.create();
        CompletableFuture<String> future = open(spindle.keyed("keys").at("key"));
        Thread.currentThread().interrupt();
        spindle.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(future).isCancelled();
    }

    @Test
    void f2_cancelWithInterrupt_interruptsBeforeCallbacks() {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch running = new CountDownLatch(1);
        CompletableFuture<?> future = spindles.spindle().submit(() -> {
            running.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        });
        await(running);
        AtomicBoolean inTime = new AtomicBoolean();
        future.whenComplete((value, failure) -> {
            await(interrupted); // fails if the interrupt comes after this
            inTime.set(!Thread.currentThread().isInterrupted());
        });
        assertThat(future.cancel(true)).isTrue();
        assertThat(future).isCancelled();
        until(inTime::get);
    }

    /** The interrupt reaches the innermost task on which the async task depends. */
    @Test
    void f2_cancelOfAnAsyncTaskWithInterrupt_interruptsTheTaskOfItsStageBeforeCallbacks() {
        Spindle spindle = spindles.spindle();
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch running = new CountDownLatch(1);
        CompletableFuture<?> future = spindle.keyed("keys")
                .submitAsync(
                        "outer",
                        () -> spindle.keyed("keys")
                                .submitAsync(
                                        "inner",
                                        () -> spindle.submit(() -> {
                                            running.countDown();
                                            try {
                                                new CountDownLatch(1).await();
                                            } catch (InterruptedException e) {
                                                interrupted.countDown();
                                            }
                                            return "value";
                                        })));
        await(running);
        until(() -> spindle.busiest(2).stream()
                        .filter(lane -> lane.kind() == Activity.Kind.ASYNC)
                        .count()
                == 2);
        AtomicBoolean inTime = new AtomicBoolean();
        future.whenComplete((value, failure) -> {
            await(interrupted); // fails if the interrupt comes after this
            inTime.set(true);
        });
        assertThat(future.cancel(true)).isTrue();
        until(inTime::get);
    }

    /** User code throws in the middle of a shutdown. */
    @Test
    void d1_shutdownNowWhenAStageThrowsErrorsInItsCancel_returnsWhatWaitsAndEnds() throws InterruptedException {
        Spindle spindle = spindles.spindle();
        Runnable waits = () -> {};
        for (int key = 0; key < 3; key++) {
            spindle.keyed("keys").submitAsync(key, () -> new CompletableFuture<String>() {
                @Override
                public boolean cancel(boolean mayInterruptIfRunning) {
                    throw new StackOverflowError("on purpose");
                }
            });
            spindle.keyed("keys").execute(key, waits);
        }
        until(() -> spindle.busiest(3).stream()
                        .filter(lane -> lane.kind() == Activity.Kind.ASYNC)
                        .count()
                == 3);
        assertThat(spindle.shutdownNow()).containsExactly(waits, waits, waits);
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }
}
