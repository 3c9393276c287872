// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.passThrough;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ObjIntConsumer;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** F4, S1, D1 and M1 of limits and capacities that change while tasks run; KeyLimitContractTest has those of keys. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class LiveLimitsContractTest {
    private static final OnFull BLOCK = OnFull.block(Duration.ofMinutes(1));

    @RegisterExtension
    final Spindles spindles = new Spindles();

    // ---------------------------------------------------------------- maxConcurrency

    @Test
    void f4_concurrencyThatGrows_letsWaitingTasksBeginWithoutAnotherSubmit() {
        LogicalExecutor reads = spindles.of(spindles.builder().coreThreads(4)).executor("reads", 1);
        reads.setMaxConcurrency(0);
        CountDownLatch three = new CountDownLatch(3);
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.add(reads.submit(() -> {
                three.countDown();
                await(three);
            }));
        }
        assertThat(reads.stats().pending()).isEqualTo(3);
        reads.setMaxConcurrency(3);
        all.forEach(TestSupport::result);
        assertThat(reads.stats().maxConcurrency()).isEqualTo(3);
    }

    @Test
    void f4_concurrencyThatShrinks_endsTurnsAfterTheirTaskAndKeepsWhatWaits() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(4));
        LogicalExecutor reads = spindle.executor("reads", 3);
        List<Gate> gates = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Gate gate = new Gate();
            gates.add(gate);
            reads.execute(gate);
            gate.awaitEntered();
        }
        Gate next = new Gate();
        reads.execute(next);
        reads.setMaxConcurrency(1);
        assertThat(reads.stats().running()).isEqualTo(3);
        gates.get(0).open();
        gates.get(1).open();
        until(() -> reads.stats().running() == 1);
        passThrough(spindle);
        assertThat(next.isEntered()).isFalse();
        assertThat(reads.stats().pending()).isEqualTo(1);
        gates.get(2).open();
        next.awaitEntered().open();
    }

    @Test
    void f4_pausedExecutor_begins_nothingAndIsWokenByNothing() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        LogicalExecutor reads = spindle.executor("reads", 1);
        reads.setMaxConcurrency(0);
        CompletableFuture<String> waits = reads.submit(() -> "ran");
        CompletableFuture<String> delayed = new CompletableFuture<>();
        reads.schedule(() -> delayed.complete("ran"), 1, TimeUnit.MILLISECONDS);
        until(() -> reads.stats().pending() == 2);
        passThrough(spindle);
        assertThat(waits).isNotDone();
        assertThat(delayed).isNotDone();
        reads.setMaxConcurrency(1);
        assertThat(result(waits)).isEqualTo("ran");
        assertThat(result(delayed)).isEqualTo("ran");
    }

    @Test
    void d1_shutdownOfAPausedExecutor_runsAllThatWasAccepted() throws InterruptedException {
        Spindle spindle = spindles.spindle();
        for (boolean own : new boolean[] {true, false}) {
            LogicalExecutor reads = spindle.executor("reads", 2);
            reads.setMaxConcurrency(0);
            AtomicInteger ran = new AtomicInteger();
            for (int i = 0; i < 100; i++) {
                reads.execute(ran::incrementAndGet);
            }
            (own ? reads : spindle).shutdown();
            reads.setMaxConcurrency(0); // too late, and ignored: all that was accepted has to run
            assertThat(reads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
            assertThat(ran).hasValue(100);
            assertThat(reads.stats().maxConcurrency()).isEqualTo(1);
        }
    }

    @Test
    void d1_shutdownNowOfAPausedExecutor_returnsWhatWaits() {
        LogicalExecutor reads = spindles.spindle().executor("reads", 2);
        reads.setMaxConcurrency(0);
        Runnable task = () -> {};
        reads.execute(task);
        assertThat(reads.shutdownNow()).containsExactly(task);
        until(reads::isTerminated);
    }

    @Test
    void f4_changesAfterTheTermination_haveNoEffect() {
        Spindle spindle = spindles.spindle();
        LogicalExecutor reads = spindle.executor("reads", 2);
        Strand strand = spindle.strand("strand");
        spindle.close();
        reads.setMaxConcurrency(7);
        reads.setCapacity(7, BLOCK);
        strand.setCapacity(7, BLOCK);
        spindle.setCapacity(7, BLOCK);
        spindle.keyed("orders").setMaxConcurrency(7);
        assertThat(reads.stats().maxConcurrency()).isEqualTo(7);
        assertThatThrownBy(() -> reads.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> strand.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    // ---------------------------------------------------------------- capacities

    /** An executor with a bound, whose first task runs until the gate opens. */
    private record Bounded(
            String name, Executor executor, ObjIntConsumer<OnFull> setCapacity, ToIntFunction<Executor> capacity) {
        @Override
        public String toString() {
            return name;
        }
    }

    private List<Bounded> bounded() {
        LogicalExecutor reads = spindles.spindle().executor("reads", 1);
        Strand strand = spindles.spindle().strand("strand");
        Keyed<String> keys = spindles.spindle().keyed("orders");
        Spindle ofKeys = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        Spindle ofPlain = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        Spindle ofExecutor = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        Spindle ofStrand = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        return List.of(
                new Bounded(
                        "executor",
                        reads,
                        (onFull, tasks) -> reads.setCapacity(tasks, onFull),
                        any -> reads.stats().capacity()),
                new Bounded("strand", strand, (onFull, tasks) -> strand.setCapacity(tasks, onFull), any -> -1),
                new Bounded(
                        "key",
                        keys.at("a"),
                        (onFull, tasks) -> keys.setKeyCapacity(tasks, onFull),
                        any -> keys.stats().capacity()),
                ofSpindle("spindle, plain", ofPlain, ofPlain),
                ofSpindle("spindle, key", ofKeys, ofKeys.keyed("orders").at("a")),
                ofSpindle("spindle, executor", ofExecutor, ofExecutor.executor("reads", 1)),
                ofSpindle("spindle, strand", ofStrand, ofStrand.strand("strand")));
    }

    private static Bounded ofSpindle(String name, Spindle spindle, Executor executor) {
        return new Bounded(
                name,
                executor,
                (onFull, tasks) -> spindle.setCapacity(tasks, onFull),
                any -> spindle.stats().capacity());
    }

    @TestFactory
    Stream<DynamicTest> f4_capacityThatChanges_admitsRefusesAndDropsNothing() {
        return bounded().stream()
                .map(of -> DynamicTest.dynamicTest(of.name, () -> {
                    AtomicInteger ran = new AtomicInteger();
                    Gate first = new Gate();
                    of.executor.execute(first);
                    first.awaitEntered();
                    of.setCapacity.accept(OnFull.reject(), 3); // was without a bound
                    for (int i = 0; i < 3; i++) {
                        of.executor.execute(ran::incrementAndGet);
                    }
                    assertFull(of);
                    of.setCapacity.accept(OnFull.reject(), 1);
                    assertFull(of);
                    of.setCapacity.accept(OnFull.reject(), 4);
                    of.executor.execute(ran::incrementAndGet);
                    assertFull(of);
                    assertThat(of.capacity.applyAsInt(of.executor)).isIn(4, -1);
                    of.setCapacity.accept(OnFull.reject(), Integer.MAX_VALUE);
                    of.executor.execute(ran::incrementAndGet);
                    first.open();
                    until(() -> ran.get() == 5);
                }));
    }

    private static void assertFull(Bounded of) {
        assertThatThrownBy(() -> of.executor.execute(() -> {}))
                .as("%s", of)
                .isInstanceOf(RejectedExecutionException.class);
    }

    @TestFactory
    Stream<DynamicTest> f4_capacityThatGrows_admitsWaitingSubmitters() {
        return bounded().stream()
                .map(of -> DynamicTest.dynamicTest(of.name, () -> {
                    CountDownLatch ran = new CountDownLatch(4);
                    Gate first = new Gate();
                    of.executor.execute(first);
                    first.awaitEntered();
                    of.setCapacity.accept(BLOCK, 1);
                    of.executor.execute(ran::countDown);
                    List<Thread> submitters = new ArrayList<>();
                    for (int i = 0; i < 3; i++) {
                        Thread submitter = new Thread(() -> of.executor.execute(ran::countDown));
                        submitter.start();
                        submitters.add(submitter);
                        until(() -> submitter.getState() == Thread.State.TIMED_WAITING);
                    }
                    of.setCapacity.accept(BLOCK, 4);
                    for (Thread submitter : submitters) {
                        submitter.join(20_000);
                        assertThat(submitter.isAlive()).isFalse();
                    }
                    first.open();
                    await(ran);
                }));
    }

    @Test
    void f4_submittersOfAStrandWithALaterCapacity_areRefusedByItsShutdown() throws InterruptedException {
        Strand strand = spindles.spindle().strand("strand");
        Gate first = new Gate();
        strand.execute(first);
        first.awaitEntered();
        strand.setCapacity(1, BLOCK);
        strand.execute(() -> {});
        CompletableFuture<Throwable> refused = new CompletableFuture<>();
        Thread submitter = new Thread(() -> {
            try {
                strand.execute(() -> {});
            } catch (RejectedExecutionException e) {
                refused.complete(e);
            }
        });
        submitter.start();
        until(() -> submitter.getState() == Thread.State.TIMED_WAITING);
        strand.shutdown();
        assertThat(result(refused)).hasMessageContaining("strand");
        first.open();
        assertThat(strand.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void f4_wrongValue_isRefusedWithItsNameAndChangesNothing() {
        Spindle spindle = spindles.spindle();
        LogicalExecutor reads = spindle.executor("reads", 2);
        Strand strand = spindle.strand("strand");
        assertRefused("maxConcurrency", () -> reads.setMaxConcurrency(-1));
        assertRefused("capacity", () -> reads.setCapacity(0, BLOCK));
        assertRefused("capacity", () -> strand.setCapacity(0, BLOCK));
        assertRefused("policy is CALLER_RUNS", () -> strand.setCapacity(1, OnFull.callerRuns()));
        assertRefused("capacity", () -> spindle.setCapacity(0, BLOCK));
        assertRefused("policy is CALLER_RUNS", () -> spindle.setCapacity(1, OnFull.callerRuns()));
        assertThat(reads.stats().maxConcurrency()).isEqualTo(2);
        assertThat(reads.stats().capacity()).isEqualTo(Integer.MAX_VALUE);
        assertThat(spindle.stats().capacity()).isEqualTo(Integer.MAX_VALUE);
    }

    private static void assertRefused(String named, Runnable change) {
        assertThatThrownBy(change::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(named);
    }

    // ---------------------------------------------------------------- races

    /** Limits that change all the time, and then end at a pause or at a shutdown: no accepted task is left behind. */
    @Test
    void s1_changesThatRaceWithSubmits_loseNoTask() throws InterruptedException {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(4).maxThreads(4));
        for (int round = 0; round < 30; round++) {
            Random random = new Random(round);
            LogicalExecutor reads = spindle.executor("reads", 2);
            Keyed<Integer> keys = spindle.keyed("orders " + round % 5);
            AtomicInteger accepted = new AtomicInteger();
            AtomicInteger ran = new AtomicInteger();
            Thread changes = new Thread(() -> {
                for (int i = 0; i < 300; i++) {
                    reads.setMaxConcurrency(random.nextInt(4));
                    reads.setCapacity(1 + random.nextInt(50), BLOCK);
                    keys.setMaxConcurrency(random.nextInt(4));
                    keys.setKeyCapacity(1 + random.nextInt(50), BLOCK);
                }
                reads.setMaxConcurrency(1);
                keys.setMaxConcurrency(1);
            });
            List<Thread> submitters = new ArrayList<>();
            for (int t = 0; t < 2; t++) {
                Thread submitter = new Thread(() -> {
                    for (int i = 0; i < 300; i++) {
                        reads.execute(ran::incrementAndGet);
                        keys.execute(i % 7, ran::incrementAndGet);
                        keys.submitAsync(i % 7, () -> {
                            CompletableFuture<Integer> stage = new CompletableFuture<>();
                            spindle.execute(() -> stage.complete(ran.incrementAndGet()));
                            return stage;
                        });
                        accepted.addAndGet(3);
                    }
                });
                submitters.add(submitter);
                submitter.start();
            }
            changes.start();
            changes.join();
            for (Thread submitter : submitters) {
                submitter.join();
            }
            until(() -> ran.get() == accepted.get());
            assertThat(accepted).hasValue(1_800);
            until(() -> keys.stats().running() == 0);
        }
    }
}
