// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The effects of a worker that keeps searching. */
@Timeout(60)
class WaitStrategyTest {
    private static final int SUBMITS = 1_000;

    @RegisterExtension
    private final Spindles spindles = new Spindles();

    private Spindle spindle(WaitStrategy strategy, int core) {
        return spindles.of(
                spindles.builder().waitStrategy(strategy).coreThreads(core).maxThreads(core));
    }

    private static void start(Spindle spindle, int workers, int idle) {
        occupy(spindle, workers);
        until(() -> spindle.stats().idleThreads() == idle);
    }

    /** Makes {@code workers} workers run tasks at the same time, once. */
    private static void occupy(Spindle spindle, int workers) {
        List<Gate> gates = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            Gate gate = new Gate();
            gates.add(gate);
            spindle.execute(gate);
        }
        gates.forEach(Gate::awaitEntered);
        gates.forEach(Gate::open);
    }

    /** Submits repeatedly to an idle pool, and returns the number of wake-ups. */
    private static long wakeUps(Spindle spindle, Duration pace) {
        long before = spindle.stats().wakeUps();
        for (int i = 0; i < SUBMITS; i++) {
            result(i % 2 == 0 ? spindle.submit(() -> {}) : spindle.keyed("keys").submit(i, () -> {}));
            LockSupport.parkNanos(pace.toNanos());
        }
        return spindle.stats().wakeUps() - before;
    }

    @Test
    void spin_submitsToAnIdlePool_wakeNobody() {
        Spindle spindle = spindles.of(spindles.builder()
                .waitStrategy(WaitStrategy.SPIN)
                .coreThreads(1)
                .maxThreads(1)
                .keyKeepAlive(Duration.ofHours(1))); // no sweep
        start(spindle, 1, 0);
        assertThat(wakeUps(spindle, Duration.ofNanos(200_000))).isZero();
    }

    /** A submit may wake another worker while the searching one returns from a task. On few cores some submits do. */
    @Test
    void spin_submitsToAnIdlePoolOfTwo_hardlyWakeAnybody() {
        Spindle spindle = spindle(WaitStrategy.SPIN, 2);
        start(spindle, 2, 1);
        assertThat(wakeUps(spindle, Duration.ofNanos(200_000))).isLessThan(SUBMITS / 4);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void park_submitsToAnIdlePool_wakeAWorkerEach(int core) {
        Spindle spindle = spindle(WaitStrategy.PARK, core);
        start(spindle, core, core);
        long before = spindle.stats().wakeUps();
        for (int i = 0; i < SUBMITS / 10; i++) {
            until(() -> spindle.stats().idleThreads() == core);
            result(i % 2 == 0 ? spindle.submit(() -> {}) : spindle.keyed("keys").submit(i, () -> {}));
        }
        assertThat(spindle.stats().wakeUps() - before).isGreaterThanOrEqualTo(SUBMITS / 10);
    }

    @Test
    void spin_withoutWork_oneWorkerSearchesAndTheOthersPark() {
        Spindle spindle = spindle(WaitStrategy.SPIN, 4);
        start(spindle, 4, 3);
        long end = System.nanoTime() + 100_000_000;
        while (System.nanoTime() - end < 0) {
            assertThat(spindle.stats().idleThreads()).isEqualTo(3);
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Test
    void spin_beforeTheFirstTask_noThread() {
        Spindle spindle = spindle(WaitStrategy.SPIN, 2);
        assertThat(spindle.stats().threads()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void d1_spin_shutdownWithoutWork_endsWithinASecond(int core) throws InterruptedException {
        for (int round = 0; round < 20; round++) {
            Spindle spindle = spindle(WaitStrategy.SPIN, core);
            start(spindle, core, core - 1);
            if (round % 2 == 0) {
                spindle.shutdown();
            } else {
                spindle.shutdownNow();
            }
            assertThat(spindle.awaitTermination(1, TimeUnit.SECONDS)).isTrue();
            assertThat(spindle.stats().threads()).isZero();
        }
    }

    @Test
    void d1_spin_shutdownWithADelayedTask_waitsForItAndEnds() throws InterruptedException {
        Spindle spindle = spindle(WaitStrategy.SPIN, 1);
        start(spindle, 1, 0);
        Future<Integer> delayed = spindle.schedule(() -> 1, 50, TimeUnit.MILLISECONDS);
        spindle.shutdown();
        assertThat(spindle.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
        assertThat(result(delayed)).isEqualTo(1);
    }

    /** A single worker must also watch the clock. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void a2_spin_delayedAndPeriodicTasks_runWhenDue(int core) {
        Spindle spindle = spindle(WaitStrategy.SPIN, core);
        start(spindle, core, core - 1);
        for (int i = 0; i < 20; i++) {
            long begin = System.nanoTime();
            long ran = result(spindle.schedule(System::nanoTime, 2, TimeUnit.MILLISECONDS));
            assertThat(ran - begin).isBetween(2_000_000L, 1_000_000_000L);
        }
        CountDownLatch periods = new CountDownLatch(20);
        var periodic = spindle.scheduleAtFixedRate(periods::countDown, 1, 1, TimeUnit.MILLISECONDS);
        TestSupport.await(periods);
        periodic.cancel(false);
    }

    @Test
    void t1_spin_workersBeyondTheCore_endAfterTheKeepAlive() {
        Spindle spindle = spindles.of(spindles.builder()
                .waitStrategy(WaitStrategy.SPIN)
                .coreThreads(1)
                .maxThreads(6)
                .growCoreAfter(0)
                .keepAlive(Duration.ofMillis(20)));
        for (int round = 0; round < 3; round++) {
            occupy(spindle, 6); // with this keep-alive the first worker may have ended before the last is idle
            until(() -> spindle.stats().threads() == 1);
        }
        assertThat(spindle.stats().idleThreads()).isZero(); // the last worker searches
    }

    @Test
    void f2_spin_taskStartsWithoutTheInterruptsOfOthers() {
        Spindle spindle = spindle(WaitStrategy.SPIN, 1);
        Thread worker = result(spindle.submit(Thread::currentThread));
        for (int i = 0; i < 100; i++) {
            worker.interrupt();
            assertThat(result(spindle.submit(() -> Thread.currentThread().isInterrupted())))
                    .isFalse();
        }
    }

    @Test
    void builder_nullStrategy_isRefused() {
        assertThatThrownBy(() -> Spindle.builder().waitStrategy(TestSupport.unsafeNull()))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("waitStrategy");
    }
}
