// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spindle.TestSupport.Gate;
import dev.spindle.internal.TimeLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Threads that start late, due to a slow factory or a missing carrier, delay only the work that needs them.
 */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes of the tasks are checked by other means
class SlowThreadsContractTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final List<Gate> gates = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    @AfterEach
    void open() {
        gates.forEach(Gate::open);
        ended.countDown();
    }

    private Gate gate() {
        Gate gate = new Gate();
        gates.add(gate);
        return gate;
    }

    /**
     * A factory that creates its {@code slow}-th thread only after its gate is open, and may then fail a given number
     * of times.
     */
    private final class SlowFactory implements ThreadFactory {
        private final CountDownLatch asking = new CountDownLatch(1);
        private final CountDownLatch making = new CountDownLatch(1);
        private final int slow;
        private final AtomicInteger asked = new AtomicInteger();
        private final AtomicInteger failures;

        SlowFactory(int slow, int failures) {
            this.slow = slow;
            this.failures = new AtomicInteger(failures);
        }

        @Override
        public Thread newThread(Runnable worker) {
            if (asked.incrementAndGet() == slow) {
                asking.countDown();
                while (making.getCount() > 0 && ended.getCount() > 0) { // longer than a test waits for anything
                    LockSupport.parkNanos(100_000);
                }
            }
            if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("on purpose");
            }
            return new Thread(worker);
        }

        /** Starts another thread whose submit blocks in this factory. */
        Thread holdUp(Runnable submit) {
            Thread submitter = new Thread(submit);
            submitter.start();
            await(asking);
            return submitter;
        }
    }

    @Test
    void t2_anotherSubmitterIsInASlowFactory_idleWorkerTakesTheNextTask() {
        SlowFactory factory = new SlowFactory(2, 0);
        Spindle spindle =
                spindles.of(spindles.builder().coreThreads(2).maxThreads(2).threadFactory(factory));
        Gate busy = gate();
        spindle.execute(busy);
        busy.awaitEntered();
        CountDownLatch first = new CountDownLatch(1);
        factory.holdUp(() -> spindle.execute(first::countDown));
        busy.open();
        await(first);
        until(() -> spindle.stats().idleThreads() == 1);

        CountDownLatch second = new CountDownLatch(1);
        spindle.execute(second::countDown);

        await(second);
    }

    @Test
    void t3_anotherSubmitterIsInASlowFactory_moreThreadsAreMadeForTheNextTask() {
        SlowFactory factory = new SlowFactory(2, 0);
        Spindle spindle =
                spindles.of(spindles.builder().coreThreads(2).maxThreads(8).threadFactory(factory));
        Gate busy = gate();
        spindle.execute(busy);
        busy.awaitEntered();
        CountDownLatch ran = new CountDownLatch(2);
        factory.holdUp(() -> spindle.execute(ran::countDown));

        spindle.execute(ran::countDown);

        await(ran);
    }

    @Test
    void a2_workerForADueTaskIsInASlowFactory_theClockIsWatchedAndAnotherRunsIt() {
        SlowFactory factory = new SlowFactory(2, 0);
        Spindle spindle =
                spindles.of(spindles.builder().coreThreads(2).maxThreads(2).threadFactory(factory));
        Gate busy = gate();
        spindle.execute(busy);
        busy.awaitEntered();
        CountDownLatch due = new CountDownLatch(2);
        factory.holdUp(() -> spindle.schedule(due::countDown, 10, TimeUnit.MILLISECONDS));
        spindle.schedule(due::countDown, 5, TimeUnit.MILLISECONDS);

        busy.open();

        await(due);
    }

    @Test
    void a3_workerForADueTaskIsInASlowFactory_limitActs() {
        SlowFactory factory = new SlowFactory(2, 0);
        Spindle spindle =
                spindles.of(spindles.builder().coreThreads(2).maxThreads(2).threadFactory(factory));
        Gate busy = gate();
        spindle.execute(busy);
        busy.awaitEntered();
        CountDownLatch due = new CountDownLatch(1);
        factory.holdUp(() -> spindle.schedule(due::countDown, 1, TimeUnit.MILLISECONDS));
        CountDownLatch passed = new CountDownLatch(1);

        TimeLimits.set(spindle, Duration.ofMillis(5), passed::countDown);

        await(passed);
        busy.open();
        await(due);
    }

    @Test
    void t2_workerComesBackWhileTheOneForItIsBeingMade_takesWhatIsReady() {
        SlowFactory factory = new SlowFactory(1, 0);
        Spindle spindle =
                spindles.of(spindles.builder().coreThreads(1).maxThreads(4).auxiliaryThreadFactory(factory));
        Gate blocked = gate();
        spindle.execute(() -> Spindle.callBlocking(() -> {
            blocked.run();
            return null;
        }));
        blocked.awaitEntered();
        CountDownLatch ran = new CountDownLatch(1);
        factory.holdUp(() -> spindle.execute(ran::countDown));

        blocked.open();

        await(ran);
    }

    @Test
    void t2_auxiliaryIsBeingMade_idleCoreWorkerTakesTheNextTask() {
        SlowFactory factory = new SlowFactory(1, 0);
        Spindle spindle = spindles.of(
                spindles.builder().coreThreads(1).maxThreads(4).clock(() -> 0).auxiliaryThreadFactory(factory));
        Gate blocked = gate();
        spindle.execute(() -> Spindle.callBlocking(() -> {
            blocked.run();
            return null;
        }));
        blocked.awaitEntered();
        CountDownLatch first = new CountDownLatch(1);
        factory.holdUp(() -> spindle.execute(first::countDown));
        blocked.open();
        await(first);
        until(() -> spindle.stats().idleThreads() == 1);

        CountDownLatch second = new CountDownLatch(1);
        spindle.execute(second::countDown);

        await(second);
    }

    /** Occupies all carriers until the test ends. */
    private ThreadFactory starvedVirtualThreads() {
        assumeTrue(Runtime.version().feature() >= 21, "virtual threads need JDK 21 or newer");
        ThreadFactory virtual = AuxiliaryThreadsTest.Kind.VIRTUAL.factory("virtual-");
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            Gate computes = gate();
            requireNonNull(virtual.newThread(() -> {
                        while (!computes.isOpen()) {
                            Thread.onSpinWait();
                        }
                    }))
                    .start();
        }
        return virtual;
    }

    @Test
    void t2_workerComesBackWhileItsVirtualAuxiliaryHasNoCarrier_takesWhatIsReady() {
        Spindle spindle = spindles.of(spindles.builder()
                .coreThreads(1)
                .maxThreads(4)
                .clock(() -> 0)
                .auxiliaryThreadFactory(starvedVirtualThreads()));
        Gate blocked = gate();
        spindle.execute(() -> Spindle.callBlocking(() -> {
            blocked.run();
            return null;
        }));
        blocked.awaitEntered();
        CountDownLatch ran = new CountDownLatch(1);
        spindle.execute(ran::countDown);

        blocked.open();

        await(ran);
    }

    @Test
    void t2_virtualAuxiliaryHasNoCarrier_idleCoreWorkerTakesTheNextTask() {
        Spindle spindle = spindles.of(spindles.builder()
                .coreThreads(1)
                .maxThreads(4)
                .clock(() -> 0)
                .auxiliaryThreadFactory(starvedVirtualThreads()));
        Gate blocked = gate();
        spindle.execute(() -> Spindle.callBlocking(() -> {
            blocked.run();
            return null;
        }));
        blocked.awaitEntered();
        CountDownLatch first = new CountDownLatch(1);
        spindle.execute(first::countDown); // starts an auxiliary worker
        blocked.open();
        await(first);
        until(() -> spindle.stats().idleThreads() == 1);

        CountDownLatch second = new CountDownLatch(1);
        spindle.execute(second::countDown);

        await(second);
    }

    /** A way to submit; shared objects are created before. */
    enum Entry {
        PLAIN,
        KEY,
        STRAND,
        EXECUTOR,
        DELAYED;

        Consumer<Runnable> of(Spindle spindle) {
            return switch (this) {
                case PLAIN -> spindle::execute;
                case KEY -> task -> spindle.keyed("keys").execute("key", task);
                case STRAND -> spindle.strand("strand")::execute;
                case EXECUTOR -> spindle.executorBuilder("executor").build()::execute;
                case DELAYED -> task -> spindle.schedule(task, 1, TimeUnit.NANOSECONDS);
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void f5_secondSubmitWhileTheFirstThreadIsBeingMade_isServed(Entry entry) throws Exception {
        SlowFactory factory = new SlowFactory(1, 0);
        Spindle spindle =
                spindles.of(spindles.builder().coreThreads(1).maxThreads(1).threadFactory(factory));
        Consumer<Runnable> submit = entry.of(spindle);
        CountDownLatch ran = new CountDownLatch(2);
        factory.holdUp(() -> submit.accept(ran::countDown));
        Thread second = new Thread(() -> submit.accept(ran::countDown));
        second.start();
        until(() -> second.getState() == Thread.State.WAITING);

        factory.making.countDown();

        await(ran);
    }

    private static Stream<Arguments> entriesAndFailures() {
        return Stream.of(Entry.values())
                .flatMap(entry -> Stream.of(1, 2, 1_000).map(failures -> Arguments.of(entry, failures)));
    }

    @ParameterizedTest
    @MethodSource("entriesAndFailures")
    void f5_twoSubmitsWhileTheFirstThreadCannotBeMade_eachIsRejectedOrRuns(Entry entry, int failures) throws Exception {
        twoSubmits(entry, failures, Spindle::shutdown);
    }

    @ParameterizedTest
    @MethodSource("entriesAndFailures")
    void d1_shutdownNowAfterTwoSubmitsWithoutAThread_terminates(Entry entry, int failures) throws Exception {
        twoSubmits(entry, failures, Spindle::shutdownNow);
    }

    private void twoSubmits(Entry entry, int failures, Consumer<Spindle> end) throws Exception {
        SlowFactory factory = new SlowFactory(1, failures);
        AtomicInteger accepted = new AtomicInteger();
        AtomicInteger ran = new AtomicInteger();
        try (CollectedLog.Recording log = CollectedLog.record()) {
            Spindle spindle = Spindles.options()
                    .coreThreads(1)
                    .maxThreads(1)
                    .threadFactory(factory)
                    .build();
            Consumer<Runnable> submit = entry.of(spindle);
            Runnable attempt = () -> {
                try {
                    submit.accept(ran::incrementAndGet);
                    accepted.incrementAndGet();
                } catch (RejectedExecutionException e) {
                    assertThat(e).hasMessageContaining("thread");
                }
            };
            Thread first = factory.holdUp(attempt);
            Thread second = new Thread(attempt);
            second.start();
            until(() -> !second.isAlive() || second.getState() == Thread.State.WAITING);

            factory.making.countDown();
            first.join();
            second.join();
            until(() -> ran.get() == accepted.get());

            end.accept(spindle);
            assertThat(spindle.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
            assertThat(log.lines()).as("told of failures").isNotEmpty();
        }
    }

    @Test
    void f5_factoryOfTheOnlyThreadSubmitsItself_isRefused() {
        AtomicReference<@Nullable Spindle> made = new AtomicReference<>();
        AtomicInteger refused = new AtomicInteger();
        Spindle spindle =
                spindles.of(spindles.builder().coreThreads(1).maxThreads(1).threadFactory(worker -> {
                    try {
                        requireNonNull(made.get()).execute(() -> {});
                    } catch (RejectedExecutionException e) {
                        refused.incrementAndGet();
                    }
                    return new Thread(worker);
                }));
        made.set(spindle);

        assertThat(result(spindle.submit(() -> 1))).isEqualTo(1);
        assertThat(refused).hasValue(1);
    }
}
