// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spindle.TestSupport.Gate;
import dev.spindle.ThreadFactoryContractTest.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Auxiliary workers with their own thread factory, of platform threads or, where the JDK has them, of virtual threads.
 */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes of the tasks are checked by other means
class AuxiliaryThreadsTest {
    enum Kind {
        PLATFORM,
        VIRTUAL;

        /** Returns a factory of threads with this prefix and a number. Skips the test on a JDK without such threads. */
        ThreadFactory factory(String prefix) {
            if (this == PLATFORM) {
                AtomicInteger numbers = new AtomicInteger();
                return worker -> new Thread(worker, prefix + numbers.getAndIncrement());
            }
            assumeTrue(Runtime.version().feature() >= 21, "virtual threads need JDK 21 or newer");
            try {
                Class<?> builder = Class.forName("java.lang.Thread$Builder");
                Object named = builder.getMethod("name", String.class, long.class)
                        .invoke(Thread.class.getMethod("ofVirtual").invoke(null), prefix, 0L);
                return (ThreadFactory)
                        requireNonNull(builder.getMethod("factory").invoke(named));
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("no virtual threads", e);
            }
        }
    }

    private static final Duration SHORT = Duration.ofMillis(20);

    @RegisterExtension
    private final Spindles spindles = new Spindles();

    private final List<Thread> core = new CopyOnWriteArrayList<>();
    private final List<Thread> auxiliary = new CopyOnWriteArrayList<>();
    private final List<Gate> gates = new ArrayList<>();

    @AfterEach
    void open() {
        gates.forEach(Gate::open);
    }

    private static ThreadFactory recorded(ThreadFactory factory, List<Thread> made) {
        return worker -> {
            Thread thread = requireNonNull(factory.newThread(worker));
            made.add(thread);
            return thread;
        };
    }

    private SpindleBuilder builder(Kind kind) {
        return spindles.builder()
                .growCoreAfter(0)
                .threadFactory(recorded(Kind.PLATFORM.factory("core-"), core))
                .auxiliaryThreadFactory(recorded(kind.factory("aux-"), auxiliary));
    }

    private List<Gate> block(int count, Function<Gate, Runnable> task, Spindle spindle) {
        List<Gate> blocked = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Gate gate = new Gate();
            blocked.add(gate);
            spindle.execute(task.apply(gate));
        }
        gates.addAll(blocked);
        blocked.forEach(Gate::awaitEntered);
        return blocked;
    }

    @ParameterizedTest
    @EnumSource
    void t1_firstWorkers_areOfTheFirstFactoryAndThoseBeyondTheCoreOfTheSecond(Kind kind) {
        Spindle spindle = spindles.of(builder(kind).coreThreads(2).maxThreads(6));
        block(6, gate -> gate, spindle);
        assertThat(core).extracting(Thread::getName).containsExactly("core-0", "core-1");
        assertThat(auxiliary).extracting(Thread::getName).containsExactlyInAnyOrder("aux-0", "aux-1", "aux-2", "aux-3");
        assertThat(spindle.stats().threads()).isEqualTo(6);
    }

    @ParameterizedTest
    @EnumSource
    void t1_auxiliariesWithoutWork_endAndTheCoreStays(Kind kind) {
        Spindle spindle = spindles.of(builder(kind).coreThreads(2).maxThreads(6).keepAlive(SHORT));
        for (int round = 0; round < 3; round++) {
            block(6, gate -> gate, spindle).forEach(Gate::open);
            until(() -> spindle.stats().threads() == 2);
            until(() -> auxiliary.stream().noneMatch(Thread::isAlive));
        }
        assertThat(core).hasSize(2).allMatch(Thread::isAlive);
        until(() -> spindle.stats().completed() == 18); // a core thread may count its last task later
    }

    @ParameterizedTest
    @EnumSource
    void t1_steadyWorkForOneWorker_isTheCoresAndTheAuxiliariesEnd(Kind kind) {
        Spindle spindle = spindles.of(builder(kind).coreThreads(1).maxThreads(4).keepAlive(SHORT));
        block(4, gate -> gate, spindle).forEach(Gate::open);
        until(() -> spindle.stats().completed() == 4);
        until(() -> {
            result(spindle.submit(() -> {})); // one at a time, with pauses shorter than the keep-alive
            return spindle.stats().threads() == 1;
        });
        assertThat(core).singleElement().matches(Thread::isAlive);
    }

    @ParameterizedTest
    @EnumSource
    void t1_auxiliaryThatWatchesTheClock_handsTheWatchOverAndEnds(Kind kind) {
        Spindle spindle = spindles.of(builder(kind).coreThreads(1).maxThreads(2).keepAlive(SHORT));
        Gate gate = block(1, g -> g, spindle).get(0);
        CountDownLatch due = new CountDownLatch(1);
        spindle.schedule(
                due::countDown, 300, TimeUnit.MILLISECONDS); // the core worker is blocked: an auxiliary watches
        Future<?> far = spindle.schedule(() -> {}, 1, TimeUnit.HOURS);
        until(() -> auxiliary.size() == 1);
        gate.open();
        until(() -> spindle.stats().threads() == 1);
        assertThat(core).singleElement().matches(Thread::isAlive);
        await(due);
        assertThat(result(spindle.schedule(() -> 1, 1, TimeUnit.MILLISECONDS))).isEqualTo(1);
        far.cancel(false);
    }

    @ParameterizedTest
    @EnumSource
    void t2_coreBlocksWithTheHook_auxiliariesRunWhatIsReady(Kind kind) {
        Spindle spindle = spindles.of(builder(kind).coreThreads(2).maxThreads(64));
        block(
                40,
                gate -> () -> Spindle.callBlocking(() -> {
                    gate.run();
                    return null;
                }),
                spindle);
        assertThat(core).hasSize(2);
        assertThat(auxiliary).hasSizeGreaterThanOrEqualTo(38);
        assertThat(result(spindle.submit(() -> Thread.currentThread().getName())))
                .startsWith("aux-");
    }

    @ParameterizedTest
    @EnumSource
    void t3_everyWorkerBlocksWithoutHook_allTasksStart(Kind kind) {
        Spindle spindle = spindles.of(builder(kind).coreThreads(2).maxThreads(64));
        block(30, gate -> gate, spindle);
        assertThat(core).hasSize(2);
        assertThat(auxiliary).hasSizeGreaterThanOrEqualTo(28);
    }

    /** Returns the least processor time per key of three rounds in which the tasks of all keys wait at once, twice. */
    private long nanosPerBlockedKey(int keys) {
        Spindle spindle = spindles.of(spindles.builder()
                .coreThreads(2)
                .maxThreads(40_000)
                .auxiliaryThreadFactory(Kind.VIRTUAL.factory("aux-")));
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 3; round++) {
            CpuTime time = CpuTime.start();
            CyclicBarrier all = new CyclicBarrier(keys);
            CountDownLatch done = new CountDownLatch(2 * keys);
            for (int i = 0; i < 2 * keys; i++) {
                spindle.keyed("keys").execute(i % keys, () -> {
                    try {
                        all.await();
                    } catch (InterruptedException | BrokenBarrierException e) {
                        throw new IllegalStateException(e);
                    }
                    done.countDown();
                });
            }
            await(done);
            least = Math.min(least, time.nanos() / keys);
        }
        return least;
    }

    /** If each blocked worker costs a walk of the others, each of 8,000 takes several times as long as each of 500. */
    @Test
    void t3_blockedWorkersByThousands_eachCostsAboutTheSame() {
        long few = nanosPerBlockedKey(500);
        long many = nanosPerBlockedKey(8_000);
        assertThat(many).as("ns for each of 8,000, compared with 500").isLessThan(3 * few);
    }

    @Test
    void build_virtualAuxiliaries_mayBeAMillion() {
        ThreadFactory virtual = Kind.VIRTUAL.factory("aux-");
        Spindle spindle = spindles.of(
                spindles.builder().maxThreads(1_000_000).auxiliaryThreadFactory(recorded(virtual, auxiliary)));
        assertThat(spindle.stats().maxThreads()).isEqualTo(1_000_000);
        assertThat(auxiliary).as("the thread by which the kind was found out").hasSize(1);
        assertThat(auxiliary.get(0).getState()).isEqualTo(Thread.State.NEW);
    }

    @ParameterizedTest
    @EnumSource
    void t2_tasksThatAnnounceEachOfManyBlocks_runInOrderOfTheirKeys(Kind kind) {
        Spindle spindle = spindles.of(builder(kind).coreThreads(2).maxThreads(64));
        List<List<Integer>> seen = new ArrayList<>();
        for (int key = 0; key < 100; key++) {
            seen.add(new ArrayList<>()); // plain: ordered by the lane
        }
        CountDownLatch done = new CountDownLatch(100 * 50);
        for (int i = 0; i < 100 * 50; i++) {
            int number = i;
            spindle.keyed("keys").execute(i % 100, () -> {
                Spindle.callBlocking(() -> {
                    Thread.yield();
                    return null;
                });
                seen.get(number % 100).add(number);
                done.countDown();
            });
        }
        await(done);
        assertThat(seen).allSatisfy(of -> assertThat(of).hasSize(50).isSorted());
    }

    @ParameterizedTest
    @EnumSource
    void k3_tasksOfAKeyOnAuxiliaries_runInOrder(Kind kind) {
        Spindle spindle = spindles.of(builder(kind).coreThreads(1).maxThreads(8));
        block(
                1,
                gate -> () -> Spindle.callBlocking(() -> {
                    gate.run();
                    return null;
                }),
                spindle);
        List<Integer> seen = new ArrayList<>(); // plain: ordered by the lane
        for (int i = 0; i < 500; i++) {
            int number = i;
            spindle.keyed("keys").execute("key", () -> seen.add(number));
        }
        result(spindle.keyed("keys").submit("key", () -> {}));
        assertThat(seen).hasSize(500).isSorted();
    }

    @ParameterizedTest
    @EnumSource
    void f2_cancelOfATaskOnAnAuxiliary_interruptsItAlone(Kind kind) {
        Spindle spindle = spindles.of(builder(kind).coreThreads(1).maxThreads(2));
        List<Boolean> others = Collections.synchronizedList(new ArrayList<>());
        List<Gate> blocked = block(
                1,
                gate -> () -> {
                    gate.run();
                    others.add(Thread.currentThread().isInterrupted());
                },
                spindle);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Gate meant = new Gate();
        Future<?> task = spindle.submit(() -> {
            meant.run();
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        meant.awaitEntered();
        assertThat(task.cancel(true)).isTrue();
        assertThat(result(interrupted)).isTrue();
        assertThat(others).isEmpty();
        blocked.get(0).open();
        until(() -> others.size() == 1);
        assertThat(others).as("the task of the core worker").containsExactly(false);
        assertThatThrownBy(task::get).isInstanceOf(CancellationException.class);
        assertThat(result(spindle.submit(() -> Thread.currentThread().isInterrupted())))
                .isFalse();
        assertThat(auxiliary).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void d1_shutdownNow_interruptsAuxiliariesAndEndsAll(Kind kind) throws InterruptedException {
        Spindle spindle = spindles.of(builder(kind).coreThreads(1).maxThreads(4));
        block(4, gate -> gate, spindle);
        spindle.shutdownNow();
        assertThat(spindle.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
        until(() ->
                core.stream().noneMatch(Thread::isAlive) && auxiliary.stream().noneMatch(Thread::isAlive));
        assertThat(spindle.stats().threads()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void d1_close_runsWhatWasAcceptedAndEndsTheAuxiliaries(Kind kind) {
        AtomicInteger ran = new AtomicInteger();
        Spindle spindle = spindles.of(builder(kind).coreThreads(1).maxThreads(8));
        List<Gate> blocked = block(8, gate -> gate, spindle);
        for (int i = 0; i < 100; i++) {
            spindle.execute(ran::incrementAndGet);
        }
        blocked.forEach(Gate::open);
        spindle.close();
        assertThat(ran).hasValue(100);
        until(() -> auxiliary.stream().noneMatch(Thread::isAlive));
    }

    @ParameterizedTest
    @EnumSource
    void f5_auxiliaryFactoryFails_coreGoesOnAndTheFailureIsReportedOnce(Fault fault) {
        ThreadFactory failing = new ThreadFactory() {
            @Override
            @SuppressWarnings("NullAway") // a factory that returns null is one of the faults
            public Thread newThread(Runnable worker) {
                return fault.make(worker);
            }

            @Override
            public String toString() {
                return "failing factory";
            }
        };
        try (CollectedLog.Recording log = CollectedLog.record()) {
            Spindle spindle = spindles.of(
                    builder(Kind.PLATFORM).coreThreads(1).maxThreads(4).auxiliaryThreadFactory(failing));
            Gate gate = block(
                            1,
                            g -> () -> Spindle.callBlocking(() -> {
                                g.run();
                                return null;
                            }),
                            spindle)
                    .get(0);
            CountDownLatch ran = new CountDownLatch(50);
            for (int i = 0; i < 50; i++) {
                spindle.execute(ran::countDown);
            }
            gate.open();
            await(ran);
            assertThat(core).hasSize(1);
            assertThat(log.lines()).hasSize(1);
            assertThat(spindle.stats().threads()).isEqualTo(1);
        }
    }

    @Test
    void builder_nullFactory_isRefused() {
        assertThatThrownBy(() -> Spindle.builder().auxiliaryThreadFactory(TestSupport.unsafeNull()))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("auxiliaryThreadFactory");
    }
}
