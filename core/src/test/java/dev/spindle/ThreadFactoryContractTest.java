// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** F5: a thread factory that fails costs no accepted task. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes of the tasks are checked by other means
class ThreadFactoryContractTest {
    /** A failure of a thread factory. */
    enum Fault {
        RETURNS_NULL,
        THROWS,
        NO_NATIVE_THREAD,
        STARTED_THREAD,
        DEAD_THREAD;

        @Nullable
        Thread make(Runnable worker) {
            switch (this) {
                case RETURNS_NULL -> {
                    return null;
                }
                case THROWS -> throw new IllegalStateException("on purpose");
                case NO_NATIVE_THREAD -> throw new OutOfMemoryError("unable to create native thread");
                case STARTED_THREAD -> {
                    Thread thread = new Thread(worker);
                    thread.start();
                    return thread;
                }
                case DEAD_THREAD -> {
                    Thread thread = new Thread(() -> {});
                    thread.start();
                    until(() -> !thread.isAlive());
                    return thread;
                }
            }
            throw new AssertionError(this);
        }
    }

    private static final class Factory implements ThreadFactory {
        private final Fault fault;
        private volatile boolean failing = true;
        private final AtomicInteger made = new AtomicInteger();

        Factory(Fault fault) {
            this.fault = fault;
        }

        @Override
        @SuppressWarnings("NullAway") // a factory that returns null is one of the faults
        public Thread newThread(Runnable worker) {
            if (failing) {
                return fault.make(worker);
            }
            return new Thread(worker, "made-" + made.incrementAndGet());
        }
    }

    private final CollectedLog.Recording log = CollectedLog.record();

    @AfterEach
    void stopRecording() {
        log.close();
    }

    private static List<Runnable> submits(Spindle spindle, Runnable task) {
        Keyed<String> keys = spindle.keyed("keys");
        Lane handle = keys.at("handle");
        Strand strand = spindle.strand("strand");
        return List.of(
                () -> spindle.execute(task),
                () -> spindle.submit(task),
                () -> keys.execute("key", task),
                () -> keys.submit("key", task),
                () -> handle.execute(task),
                () -> strand.execute(task),
                () -> strand.submit(task));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STARTED_THREAD")
    void f5_noThreadAtAll_rejectedAndLaterSubmitsAreServed(Fault fault) {
        Factory factory = new Factory(fault);
        AtomicInteger refused = new AtomicInteger();
        AtomicInteger ran = new AtomicInteger();
        Spindle spindle = Spindles.options()
                .name("threadless")
                .coreThreads(2)
                .capacity(10, OnFull.reject())
                .threadFactory(factory)
                .build();
        spindle.keyed("keys").setKeyCapacity(2, OnFull.reject());
        for (int round = 0; round < 3; round++) {
            for (Runnable submit : submits(spindle, refused::incrementAndGet)) {
                assertThatThrownBy(submit::run)
                        .isInstanceOf(RejectedExecutionException.class)
                        .hasMessageContaining("threadless")
                        .hasMessageContaining("thread");
            }
        }
        assertThat(spindle.stats().threads()).isZero();
        assertThat(spindle.stats().rejected()).isEqualTo(21);
        factory.failing = false;
        List<Runnable> submits = submits(spindle, ran::incrementAndGet);
        for (Runnable submit : submits) {
            submit.run();
            int wanted = submits.indexOf(submit) + 1;
            until(() -> ran.get() == wanted);
        }
        spindle.close();
        assertThat(refused).hasValue(0);
        assertThat(ran).hasValue(7);
    }

    @ParameterizedTest
    @EnumSource
    void f5_factoryAlwaysFails_nothingHangsAndCloseEnds(Fault fault) throws InterruptedException {
        Spindle spindle = Spindles.options()
                .coreThreads(1)
                .threadFactory(new Factory(fault))
                .build();
        AtomicInteger ran = new AtomicInteger();
        int accepted = 0;
        for (Runnable submit : submits(spindle, ran::incrementAndGet)) {
            try {
                submit.run();
                accepted++;
            } catch (RejectedExecutionException e) {
                assertThat(e).hasMessageContaining("thread");
            }
        }
        spindle.shutdown();
        assertThat(spindle.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).hasValue(accepted);
    }

    @ParameterizedTest
    @EnumSource
    void f5_liveWorker_callerIsUnaffectedAndAllIsRun(Fault fault) {
        Factory factory = new Factory(fault);
        factory.failing = false;
        Spindle spindle = Spindles.options()
                .coreThreads(4)
                .growCoreAfter(0)
                .threadFactory(factory)
                .build();
        assertThat(result(spindle.submit(() -> "first"))).isEqualTo("first");
        factory.failing = fault != Fault.STARTED_THREAD; // a thread that already runs is no failure
        CountDownLatch ran = new CountDownLatch(700);
        for (int i = 0; i < 100; i++) {
            submits(spindle, ran::countDown).forEach(Runnable::run);
        }
        await(ran);
        spindle.close();
        assertThat(log.lines().size()).isLessThanOrEqualTo(1);
    }

    @Test
    void f5_startedThreadsBesideALiveWorker_countsStayTrueAndTheyEnd() throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        List<Thread> started = new CopyOnWriteArrayList<>();
        Spindle spindle = Spindles.options()
                .coreThreads(3)
                .maxThreads(3)
                .threadFactory(worker -> {
                    Thread thread = new Thread(worker);
                    if (asked.getAndIncrement() > 0) {
                        started.add(thread);
                        thread.start();
                    }
                    return thread;
                })
                .build();
        Gate gate = new Gate();
        spindle.execute(gate);
        gate.awaitEntered();
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger accepted = new AtomicInteger();
        until(() -> {
            spindle.execute(ran::incrementAndGet);
            accepted.incrementAndGet();
            return started.size() >= 5 || ran.get() > 0;
        });
        gate.open();
        until(() -> ran.get() == accepted.get());
        spindle.shutdown();
        assertThat(spindle.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
        until(() -> started.stream().noneMatch(Thread::isAlive));
        assertThat(spindle.stats().threads()).isZero();
    }

    @Test
    void f5_allWorkersBlockedAndNoMoreThreads_workGoesOnWithThoseThereAre() {
        Factory factory = new Factory(Fault.NO_NATIVE_THREAD);
        factory.failing = false;
        Spindle spindle = Spindles.options()
                .coreThreads(1)
                .maxThreads(8)
                .threadFactory(factory)
                .build();
        Gate gate = new Gate();
        spindle.execute(() -> Spindle.callBlocking(() -> {
            gate.run();
            return null;
        }));
        gate.awaitEntered();
        factory.failing = true;
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 10; i++) {
            submits(spindle, ran::incrementAndGet).forEach(Runnable::run); // accepted, since a worker exists
        }
        gate.open();
        until(() -> ran.get() == 70);
        spindle.close();
    }

    @Test
    void f5_factoryRecovers_laterSubmitsReplaceTheBlockedWorker() {
        Factory factory = new Factory(Fault.NO_NATIVE_THREAD);
        factory.failing = false;
        Gate gate = new Gate();
        try (Spindle spindle = Spindles.options()
                .coreThreads(1)
                .maxThreads(8)
                .threadFactory(factory)
                .build()) {
            spindle.execute(gate);
            gate.awaitEntered();
            factory.failing = true;
            CompletableFuture<?> waiting = spindle.submit(() -> {});
            factory.failing = false;
            until(() -> {
                spindle.execute(() -> {});
                return waiting.isDone();
            });
            gate.open();
        }
    }

    /** A way for a task to wait for another one. */
    enum Wait {
        FOR_A_FUTURE,
        ANNOUNCED,
        UNANNOUNCED;

        void until(CompletableFuture<?> other, CountDownLatch ran) {
            switch (this) {
                case FOR_A_FUTURE -> other.join();
                case ANNOUNCED ->
                    Spindle.callBlocking(() -> {
                        await(ran);
                        return null;
                    });
                case UNANNOUNCED -> await(ran);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void f5_factoryRecoversWhileTheOnlyWorkerWaits_aThreadIsMadeWithoutAnotherSubmit(Wait wait) {
        AtomicInteger asked = new AtomicInteger();
        try (Spindle spindle = Spindles.options()
                .coreThreads(1)
                .maxThreads(3)
                .threadFactory(worker -> {
                    int failed = asked.getAndIncrement();
                    if (failed > 0 && failed < 5) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    return new Thread(worker);
                })
                .build()) {
            CountDownLatch ran = new CountDownLatch(1);
            CompletableFuture<?> first = spindle.submit(() -> wait.until(spindle.submit(ran::countDown), ran));

            result(first);
        }
    }

    @Test
    void f5_coalescingAndDelayedTasksWithoutThread_runOnceTheFactoryRecovers() {
        Factory factory = new Factory(Fault.THROWS);
        try (Spindle spindle =
                Spindles.options().coreThreads(1).threadFactory(factory).build()) {
            CountDownLatch ran = new CountDownLatch(2);
            attempt(() -> spindle.keyed("keys").coalesce("a", ran::countDown), ran);
            attempt(() -> spindle.keyed("keys").at("b").schedule(ran::countDown, 1, TimeUnit.MILLISECONDS), ran);
            factory.failing = false;
            assertThat(result(spindle.submit(() -> 1))).isEqualTo(1);
            await(ran);
        }
    }

    @Test
    void f5_acceptedWithoutThread_shutdownAfterRecoveryRunsIt() throws InterruptedException {
        Factory factory = new Factory(Fault.THROWS);
        Spindle spindle =
                Spindles.options().coreThreads(1).threadFactory(factory).build();
        CountDownLatch ran = new CountDownLatch(2);
        attempt(() -> spindle.keyed("keys").coalesce("a", ran::countDown), ran);
        attempt(() -> spindle.keyed("keys").at("b").schedule(ran::countDown, 1, TimeUnit.MILLISECONDS), ran);
        factory.failing = false;
        spindle.shutdown();
        assertThat(spindle.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
        await(ran);
    }

    @Test
    void f5_acceptedWithoutThread_shutdownNowReturnsItAndTerminates() throws InterruptedException {
        Spindle spindle = Spindles.options()
                .coreThreads(1)
                .threadFactory(new Factory(Fault.THROWS))
                .build();
        Runnable task = () -> {};
        List<Runnable> accepted = new ArrayList<>();
        try {
            spindle.keyed("keys").coalesce("a", task);
            accepted.add(task);
        } catch (RejectedExecutionException e) {
            assertThat(e).hasMessageContaining("thread");
        }
        assertThat(spindle.shutdownNow()).isEqualTo(accepted);
        assertThat(spindle.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
    }

    /** Submits; a rejection counts as an outcome. */
    private static void attempt(Runnable submit, CountDownLatch ran) {
        try {
            submit.run();
        } catch (RejectedExecutionException e) {
            ran.countDown();
        }
    }

    @Test
    void f5_failure_isReportedOncePerEpisode() {
        Factory factory = new Factory(Fault.NO_NATIVE_THREAD);
        try (Spindle spindle = Spindles.options()
                .name("reporting")
                .coreThreads(1)
                .threadFactory(factory)
                .build()) {
            for (int i = 0; i < 20; i++) {
                assertThatThrownBy(() -> spindle.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
            }
            assertThat(log.lines()).singleElement().asString().contains("reporting");
            factory.failing = false;
            assertThat(result(spindle.submit(() -> 1))).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STARTED_THREAD")
    void f5_flakyFactoryUnderLoad_acceptedRunOnceAndInOrder(Fault fault) throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        @SuppressWarnings("NullAway") // a factory that returns null is one of the faults
        ThreadFactory flaky = worker -> asked.incrementAndGet() % 3 != 0 ? fault.make(worker) : new Thread(worker);
        Spindle spindle = Spindles.options()
                .coreThreads(1)
                .maxThreads(6)
                .growCoreAfter(0)
                .keepAlive(Duration.ofNanos(1))
                .threadFactory(flaky)
                .build();
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger accepted = new AtomicInteger();
        AtomicInteger wrong = new AtomicInteger();
        List<Thread> producers = new ArrayList<>();
        for (int p = 0; p < 2; p++) {
            int key = p;
            int[] last = {-1}; // plain: ordered by the lane
            Thread producer = new Thread(() -> {
                Keyed<Integer> keys = spindle.keyed("keys");
                for (int i = 0; i < 400; i++) {
                    int number = i;
                    try {
                        keys.execute(key, () -> {
                            if (last[0] >= number) {
                                wrong.incrementAndGet();
                            }
                            last[0] = number;
                            ran.incrementAndGet();
                        });
                        accepted.incrementAndGet();
                        spindle.execute(() -> Spindle.callBlocking(() -> {
                            ran.incrementAndGet();
                            return null;
                        }));
                        accepted.incrementAndGet();
                    } catch (RejectedExecutionException e) {
                        assertThat(e).hasMessageContaining("thread");
                    }
                }
            });
            producers.add(producer);
            producer.start();
        }
        for (Thread producer : producers) {
            producer.join();
        }
        until(() -> ran.get() == accepted.get());
        spindle.shutdown();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).hasValue(accepted.get());
        assertThat(wrong).hasValue(0);
    }
}
