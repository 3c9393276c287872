// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.passThrough;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.AuxiliaryThreadsTest.Kind;
import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** T1, S1, D1 and M1 of numbers of threads that change while tasks run. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class LiveThreadsContractTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final List<Gate> gates = new ArrayList<>();

    @AfterEach
    void open() {
        gates.forEach(Gate::open);
    }

    private Spindle spindle(int core, int max) {
        return spindles.of(spindles.builder()
                .coreThreads(core)
                .maxThreads(max)
                .growCoreAfter(0)
                .keepAlive(LONG));
    }

    private List<Gate> submit(int count, Spindle spindle, Function<Gate, Runnable> task) {
        List<Gate> submitted = Stream.generate(Gate::new).limit(count).toList();
        submitted.forEach(gate -> spindle.execute(task.apply(gate)));
        gates.addAll(submitted);
        return submitted;
    }

    private static Runnable announced(Gate gate) {
        return () -> Spindle.callBlocking(() -> {
            gate.run();
            return null;
        });
    }

    private static Stream<Arguments> waits() {
        Function<Gate, Runnable> unannounced = gate -> gate;
        Function<Gate, Runnable> announced = LiveThreadsContractTest::announced;
        return Stream.of(Arguments.of("unannounced", unannounced), Arguments.of("announced", announced));
    }

    // ---------------------------------------------------------------- the maximum

    @ParameterizedTest(name = "{0}")
    @MethodSource("waits")
    void t1_maximumThatGrows_letsWaitingTasksBeginWithoutAnotherSubmit(String kind, Function<Gate, Runnable> task) {
        Spindle spindle = spindle(1, 1);
        List<Gate> all = submit(6, spindle, task);
        all.get(0).awaitEntered();
        assertThat(spindle.stats().threads()).as(kind).isEqualTo(1);
        spindle.setMaxThreads(3);
        until(() -> all.stream().filter(Gate::isEntered).count() == 3);
        assertThat(spindle.stats().threads()).isEqualTo(3);
        assertThat(spindle.stats().pending()).isEqualTo(3);
        spindle.setMaxThreads(6);
        all.forEach(Gate::awaitEntered);
        assertThat(spindle.stats().maxThreads()).isEqualTo(6);
        assertThat(spindle.stats().maxConcurrency()).isEqualTo(6);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("waits")
    void t1_maximumThatShrinks_endsThreadsAfterTheirTaskAndKeepsWhatWaits(String kind, Function<Gate, Runnable> task) {
        Spindle spindle = spindle(1, 6);
        List<Gate> running = submit(6, spindle, task);
        running.forEach(Gate::awaitEntered);
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            spindle.execute(ran::incrementAndGet);
            spindle.keyed("keys").execute(i % 3, ran::incrementAndGet);
        }
        spindle.setMaxThreads(2);
        assertThat(spindle.stats().maxThreads()).as(kind).isEqualTo(2);
        assertThat(spindle.stats().threads()).isEqualTo(6);
        for (int open = 0; open < 4; open++) {
            running.get(open).open();
            int left = 5 - open;
            until(() -> spindle.stats().threads() == left);
        }
        assertThat(ran).hasValue(0); // two threads are left, and both are blocked
        assertThat(spindle.stats().pending()).isEqualTo(40);
        running.get(4).open();
        until(() -> ran.get() == 40);
        assertThat(spindle.stats().threads()).isEqualTo(2);
    }

    @Test
    void t1_maximumThatShrinks_endsIdleThreadsAtOnce() {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        Spindle spindle = spindles.of(spindles.builder()
                .virtualThreads(false) // the factory makes all threads
                .coreThreads(1)
                .maxThreads(8)
                .growCoreAfter(0)
                .keepAlive(LONG)
                .threadFactory(worker -> {
                    Thread thread = new Thread(worker);
                    threads.add(thread);
                    return thread;
                }));
        List<Gate> all = submit(8, spindle, gate -> gate);
        all.forEach(Gate::awaitEntered);
        all.forEach(Gate::open);
        until(() -> spindle.stats().idleThreads() == 8);
        spindle.setMaxThreads(2);
        until(() -> threads.stream().filter(Thread::isAlive).count() == 2);
        assertThat(spindle.stats().threads()).isEqualTo(2);
        passThrough(spindle);
        assertThat(threads).hasSize(8);
    }

    @ParameterizedTest
    @EnumSource
    void t1_auxiliariesAboveALowerMaximum_endThoughWorkIsReady(Kind kind) {
        Spindle spindle = spindles.of(spindles.builder()
                .coreThreads(1)
                .maxThreads(40)
                .growCoreAfter(0)
                .keepAlive(LONG)
                .auxiliaryThreadFactory(kind.factory("aux-")));
        List<Gate> first = submit(40, spindle, LiveThreadsContractTest::announced);
        first.forEach(Gate::awaitEntered);
        List<Gate> second = submit(40, spindle, LiveThreadsContractTest::announced);
        spindle.setMaxThreads(3);
        first.forEach(Gate::open);
        until(() -> spindle.stats().threads() == 3);
        until(() -> second.stream().filter(Gate::isEntered).count() == 3);
        assertThat(spindle.stats().running()).isEqualTo(3);
        second.forEach(Gate::open);
        second.forEach(Gate::awaitEntered);
        assertThat(spindle.stats().threads()).isEqualTo(3);
    }

    @Test
    void t1_onOneThread_aTaskChangesTheMaximumOfItsOwnPool() {
        Spindle spindle = spindle(1, 1);
        Gate other = new Gate();
        gates.add(other);
        CompletableFuture<?> grown = spindle.submit(() -> {
            spindle.execute(other);
            spindle.setMaxThreads(1);
            spindle.setCoreThreads(1);
            spindle.setMaxThreads(2);
            other.awaitEntered(); // on the second thread
            spindle.setMaxThreads(1);
        });
        result(grown);
        other.open();
        until(() -> spindle.stats().threads() == 1);
        assertThat(result(spindle.submit(() -> "runs"))).isEqualTo("runs");
        assertThat(spindle.stats().peakThreads()).isEqualTo(2);
    }

    // ---------------------------------------------------------------- the core

    @Test
    void t1_coreThatShrinks_endsIdleThreadsAfterTheKeepAlive() {
        Spindle spindle = spindles.of(
                spindles.builder().coreThreads(4).maxThreads(4).growCoreAfter(0).keepAlive(Duration.ofMillis(1)));
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        List<Gate> all = submit(4, spindle, gate -> () -> {
            threads.add(Thread.currentThread());
            gate.run();
        });
        all.forEach(Gate::awaitEntered);
        all.forEach(Gate::open);
        until(() -> spindle.stats().idleThreads() == 4
                && threads.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING)); // without a limit
        spindle.setCoreThreads(1);
        until(() -> spindle.stats().threads() == 1);
        assertThat(spindle.stats().coreThreads()).isEqualTo(1);
        assertThat(result(spindle.submit(() -> "runs"))).isEqualTo("runs");
    }

    @Test
    void t1_coreThatGrows_keepsItsThreads() {
        Spindle spindle = spindles.of(
                spindles.builder().coreThreads(1).maxThreads(4).growCoreAfter(0).keepAlive(Duration.ofMillis(1)));
        spindle.setCoreThreads(3);
        assertThat(spindle.stats().threads()).isZero();
        List<Gate> all = submit(4, spindle, gate -> gate);
        all.forEach(Gate::awaitEntered);
        all.forEach(Gate::open);
        until(() -> spindle.stats().threads() == 3);
        long end = System.nanoTime() + 30_000_000; // many times the keep-alive
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(5_000_000);
            assertThat(spindle.stats().threads()).isEqualTo(3);
        }
        assertThat(spindle.stats().coreThreads()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource
    void t1_coreThatShrinks_endsThreadsOfTheCoreBesideAuxiliaries(Kind kind) {
        List<Thread> core = new CopyOnWriteArrayList<>();
        Spindle spindle = spindles.of(spindles.builder()
                .coreThreads(4)
                .maxThreads(6)
                .growCoreAfter(0)
                .keepAlive(Duration.ofMillis(1))
                .threadFactory(worker -> {
                    Thread thread = new Thread(worker);
                    core.add(thread);
                    return thread;
                })
                .auxiliaryThreadFactory(kind.factory("aux-")));
        List<Gate> all = submit(6, spindle, gate -> gate);
        all.forEach(Gate::awaitEntered);
        all.forEach(Gate::open);
        until(() -> spindle.stats().threads() == 4);
        assertThat(core).hasSize(4).allMatch(Thread::isAlive);
        spindle.setCoreThreads(2);
        until(() -> core.stream().filter(Thread::isAlive).count() == 2);
        assertThat(result(spindle.submit(() -> "runs"))).isEqualTo("runs");
    }

    @Test
    void t1_coreThatWasNotSet_followsTheMaximum() {
        int processors = Runtime.getRuntime().availableProcessors();
        Spindle spindle = spindles.of(Spindle.builder().maxThreads(1));
        assertThat(spindle.stats().coreThreads()).isEqualTo(1);
        spindle.setMaxThreads(64);
        assertThat(spindle.stats().coreThreads()).isEqualTo(Math.min(processors, 64));
        spindle.setMaxThreads(1);
        assertThat(spindle.stats().coreThreads()).isEqualTo(1);
    }

    @Test
    void t4_coreThatHasGrown_fallsToTheMaximumAndNotBelowWhatWasSet() {
        Spindle spindle = spindles.of(
                spindles.builder().coreThreads(1).maxThreads(4).growCoreAfter(1).keepAlive(LONG));
        List<Gate> all = submit(4, spindle, gate -> gate);
        all.forEach(Gate::awaitEntered);
        assertThat(spindle.stats().coreThreads()).isEqualTo(2);
        spindle.setMaxThreads(1);
        assertThat(spindle.stats().coreThreads()).isEqualTo(1);
        all.forEach(Gate::open);
        until(() -> spindle.stats().threads() == 1);
    }

    // ---------------------------------------------------------------- logical executors

    @Test
    void f4_executorWithoutALimitOfItsOwn_followsTheMaximum() {
        Spindle spindle = spindle(1, 2);
        LogicalExecutor follows = spindle.executorBuilder("follows").build();
        LogicalExecutor own = spindle.executor("own", 5);
        LogicalExecutor set = spindle.executorBuilder("set").build();
        set.setMaxConcurrency(2);
        List<Gate> all = Stream.generate(Gate::new).limit(4).toList();
        gates.addAll(all);
        all.forEach(follows::execute);
        until(() -> follows.stats().running() == 2);
        spindle.setMaxThreads(4);
        all.forEach(Gate::awaitEntered);
        assertThat(follows.stats().maxConcurrency()).isEqualTo(4);
        assertThat(own.stats().maxConcurrency()).isEqualTo(5);
        assertThat(set.stats().maxConcurrency()).isEqualTo(2);
        assertThat(spindle.executorBuilder("later").build().stats().maxConcurrency())
                .isEqualTo(4);
        spindle.setMaxThreads(1);
        assertThat(follows.stats().maxConcurrency()).isEqualTo(1);
    }

    // ---------------------------------------------------------------- wrong values

    private static Stream<Arguments> wrong() {
        String range = "maxThreads must be from 1 to 32000, or to 1000000 with virtual auxiliary threads, is ";
        return Stream.of(
                wrong("coreThreads must be from 1 to 32000, is 0", spindle -> spindle.setCoreThreads(0)),
                wrong("coreThreads must be from 1 to 32000, is -1", spindle -> spindle.setCoreThreads(-1)),
                wrong("coreThreads must be from 1 to 32000, is 32001", spindle -> spindle.setCoreThreads(32_001)),
                wrong(range + 0, spindle -> spindle.setMaxThreads(0)),
                wrong(range + -5, spindle -> spindle.setMaxThreads(-5)),
                wrong(range + 32_001, spindle -> spindle.setMaxThreads(32_001)),
                wrong(range + 1_000_001, spindle -> spindle.setMaxThreads(1_000_001)),
                wrong(
                        "maxThreads must be at least coreThreads, is 4 with coreThreads 5;"
                                + " raise maxThreads or lower coreThreads",
                        spindle -> spindle.setCoreThreads(5)),
                wrong(
                        "maxThreads must be at least coreThreads, is 1 with coreThreads 2;"
                                + " raise maxThreads or lower coreThreads",
                        spindle -> spindle.setMaxThreads(1)));
    }

    private static Arguments wrong(String message, Consumer<Spindle> change) {
        return Arguments.of(message, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrong")
    void t1_wrongNumber_isRefusedAndChangesNothing(String message, Consumer<Spindle> change) {
        Spindle spindle = spindles.of(spindles.builder().virtualThreads(false).maxThreads(4));
        LogicalExecutor follows = spindle.executorBuilder("follows").build();
        assertThatThrownBy(() -> change.accept(spindle))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
        assertThat(spindle.stats().coreThreads()).isEqualTo(2);
        assertThat(spindle.stats().maxThreads()).isEqualTo(4);
        assertThat(follows.stats().maxConcurrency()).isEqualTo(4);
    }

    @Test
    void t1_maximumAboveThatOfPlatformThreads_needsVirtualAuxiliaries() {
        Spindle spindle = spindles.of(spindles.builder().auxiliaryThreadFactory(Kind.VIRTUAL.factory("aux-")));
        spindle.setMaxThreads(1_000_000);
        assertThat(spindle.stats().maxThreads()).isEqualTo(1_000_000);
    }

    // ---------------------------------------------------------------- the end

    @Test
    void d1_changesInAShutdown_applyToTheTasksThatAreLeft() throws InterruptedException {
        Spindle spindle = spindle(1, 1);
        List<Gate> all = submit(3, spindle, LiveThreadsContractTest::announced);
        all.get(0).awaitEntered();
        spindle.shutdown();
        spindle.setMaxThreads(3);
        all.forEach(Gate::awaitEntered);
        spindle.setMaxThreads(1);
        all.forEach(Gate::open);
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(spindle.stats().threads()).isZero();
    }

    @Test
    void d1_changesAfterTheTermination_haveNoEffect() {
        Spindle spindle = spindle(1, 2);
        result(spindle.submit(() -> {}));
        spindle.close();
        spindle.setMaxThreads(7);
        spindle.setCoreThreads(5);
        spindle.setCoreThreads(1);
        spindle.setMaxThreads(1);
        assertThat(spindle.stats().maxThreads()).isEqualTo(1);
        assertThat(spindle.stats().threads()).isZero();
        assertThat(spindle.isTerminated()).isTrue();
        assertThatThrownBy(() -> spindle.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    // ---------------------------------------------------------------- races

    /** Numbers that change all the time: no task is lost, and the last values hold for threads and executors. */
    @ParameterizedTest
    @EnumSource
    void s1_changesThatRaceWithSubmits_loseNoTaskAndEndAtTheLastValues(Kind kind) throws InterruptedException {
        Spindle spindle = spindles.of(spindles.builder()
                .coreThreads(1)
                .maxThreads(4)
                .keepAlive(Duration.ofMillis(1))
                .auxiliaryThreadFactory(kind.factory("aux-")));
        LogicalExecutor follows = spindle.executorBuilder("follows").build();
        for (int round = 0; round < 20; round++) {
            AtomicInteger ran = new AtomicInteger();
            List<Thread> changers = new ArrayList<>();
            for (int t = 0; t < 2; t++) {
                Random random = new Random(31L * round + t);
                Thread changer = new Thread(() -> {
                    for (int i = 0; i < 200; i++) {
                        change(spindle, random);
                    }
                });
                changers.add(changer);
                changer.start();
            }
            for (int i = 0; i < 300; i++) {
                spindle.execute(ran::incrementAndGet);
                spindle.execute(() -> Spindle.callBlocking(() -> {
                    LockSupport.parkNanos(1_000);
                    return ran.incrementAndGet();
                }));
                spindle.keyed("keys").execute(i % 7, ran::incrementAndGet);
                follows.execute(ran::incrementAndGet);
            }
            for (Thread changer : changers) {
                changer.join();
            }
            until(() -> ran.get() == 1_200);
            assertThat(follows.stats().maxConcurrency())
                    .isEqualTo(spindle.stats().maxThreads());
            until(() -> spindle.stats().threads() <= spindle.stats().maxThreads());
        }
        spindle.setCoreThreads(1);
        until(() -> spindle.stats().threads() <= 1);
    }

    private static void change(Spindle spindle, Random random) {
        int number = 1 + random.nextInt(6);
        try {
            if (random.nextBoolean()) {
                spindle.setMaxThreads(number);
            } else {
                spindle.setCoreThreads(number);
            }
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("coreThreads");
        }
    }
}
