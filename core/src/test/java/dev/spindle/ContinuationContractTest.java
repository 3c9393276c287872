// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** D1: a dependent stage that was attached before termination runs. */
@Timeout(120)
@SuppressWarnings("FutureReturnValueIgnored") // the stages count their runs
class ContinuationContractTest {
    private final AtomicInteger ran = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    /** A kind of executor on a spindle that runs stages. */
    record Kind(String name, Function<Spindle, Executor> of) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Kind> kinds() {
        return List.of(
                new Kind("spindle", spindle -> spindle),
                new Kind("lane", spindle -> spindle.keyed("keys").at("key")),
                new Kind("view", spindle -> task -> spindle.keyed("keys").execute("key", task)),
                new Kind("strand", spindle -> spindle.strand("strand")),
                new Kind(
                        "bounded strand",
                        spindle -> spindle.strandBuilder("strand")
                                .capacity(2, OnFull.reject())
                                .build()),
                new Kind("logical executor", spindle -> spindle.executor("executor", 2)),
                new Kind(
                        "bounded logical executor",
                        spindle -> spindle.executorBuilder("executor")
                                .maxConcurrency(1)
                                .capacity(1, OnFull.reject())
                                .build()));
    }

    static Stream<Kind> unboundedKinds() {
        return kinds().stream().filter(kind -> !kind.name.startsWith("bounded"));
    }

    private void count(CompletableFuture<?> stage) {
        stage.whenComplete((value, failure) -> (failure == null ? ran : refused).incrementAndGet());
    }

    @ParameterizedTest
    @MethodSource("unboundedKinds")
    void d1_stagesOfTasks_closeRunsAll(Kind kind) {
        int count = 20_000;
        for (int round = 0; round < 3; round++) {
            ran.set(0);
            try (Spindle spindle = Spindles.options().coreThreads(2).build()) {
                Executor executor = kind.of.apply(spindle);
                for (int i = 0; i < count; i++) {
                    count(spindle.submit(() -> {})
                            .thenRunAsync(() -> {}, executor)
                            .thenRunAsync(() -> {}, executor));
                }
            }
            assertThat(refused).hasValue(0);
            assertThat(ran).hasValue(count);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void d1_stageOfAThreadElsewhere_untilTheTermination_runs(Kind kind) throws InterruptedException {
        Gate gate = new Gate();
        CompletableFuture<@Nullable Void> source = new CompletableFuture<>();
        Spindle spindle = Spindles.options().coreThreads(2).build();
        Executor executor = kind.of.apply(spindle);
        spindle.execute(gate);
        gate.awaitEntered();
        for (int i = 0; i < 100; i++) {
            count(source.thenRunAsync(() -> {}, executor).thenRunAsync(() -> {}, executor));
        }
        spindle.shutdown();
        source.complete(null);
        until(() -> ran.get() == 100);
        count(source.thenRunAsync(() -> {}, executor)); // after the shutdown, before termination
        until(() -> ran.get() == 101);
        assertThatThrownBy(() -> executor.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> CompletableFuture.runAsync(() -> {}, executor))
                .isInstanceOf(RejectedExecutionException.class);
        gate.open();
        assertThat(spindle.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        assertThat(source.thenRunAsync(() -> {}, executor))
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withCauseInstanceOf(RejectedExecutionException.class);
        assertThat(refused).hasValue(0);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void d1_stagesAgainstTheTermination_runOrAreRefused(Kind kind) throws InterruptedException {
        for (int round = 0; round < 300; round++) {
            ran.set(0);
            refused.set(0);
            Spindle spindle = Spindles.options().coreThreads(2).build();
            Executor executor = kind.of.apply(spindle);
            spindle.execute(() -> {});
            CountDownLatch begun = new CountDownLatch(1);
            Thread other = new Thread(() -> {
                begun.countDown();
                for (int i = 0; i < 50; i++) {
                    CompletableFuture.completedFuture(null)
                            .thenRunAsync(ran::incrementAndGet, executor)
                            .exceptionally(failure -> {
                                refused.incrementAndGet();
                                return null;
                            });
                }
            });
            other.start();
            await(begun);
            spindle.close();
            int atEnd = ran.get();
            other.join();
            assertThat(ran.get() + refused.get()).isEqualTo(50);
            assertThat(ran.get()).as("run after the termination").isEqualTo(atEnd);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void d1_shutdownNow_refusesStages(Kind kind) throws InterruptedException {
        Gate gate = new Gate();
        CompletableFuture<@Nullable Void> source = new CompletableFuture<>();
        Spindle spindle = Spindles.options().coreThreads(2).build();
        Executor executor = kind.of.apply(spindle);
        CountDownLatch end = new CountDownLatch(1);
        spindle.execute(() -> {
            gate.run(); // blocks until it is interrupted
            boolean unused = Thread.interrupted();
            await(end);
        });
        gate.awaitEntered();
        count(source.thenRunAsync(() -> {}, executor));
        assertThat(spindle.shutdownNow()).isEmpty();
        source.complete(null);
        assertThat(refused).hasValue(1);
        end.countDown();
        assertThat(spindle.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    static Stream<Strand> strands() {
        return Stream.of(
                Spindle.create().strand("on a spindle"), Strand.builder("alone").build());
    }

    @ParameterizedTest
    @MethodSource("strands")
    void d1_stagesOfTasksOfAStrand_itsCloseRunsAll(Strand strand) {
        for (int i = 0; i < 20_000; i++) {
            count(strand.submit(() -> {}).thenRunAsync(() -> {}, strand).thenRunAsync(() -> {}, strand));
        }
        strand.close();
        assertThat(refused).hasValue(0);
        assertThat(ran).hasValue(20_000);
        strand.spindle().close();
    }

    @Test
    void d1_stagesOfTasksOfALogicalExecutor_itsCloseRunsAll() {
        try (Spindle spindle = Spindle.create()) {
            LogicalExecutor executor = spindle.executor("e", 2);
            for (int i = 0; i < 20_000; i++) {
                count(executor.submit(() -> {}).thenRunAsync(() -> {}, executor).thenRunAsync(() -> {}, executor));
            }
            executor.close();
            assertThat(refused).hasValue(0);
            assertThat(ran).hasValue(20_000);
        }
    }
}
