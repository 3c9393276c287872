// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** F2: an interrupt reaches the turn that it is meant for, and no other code. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes of the tasks are checked by other means
class InterruptContractTest {
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final Spindle one = spindle(1);

    private Spindle spindle(int workers) {
        return Spindles.options()
                .coreThreads(workers)
                .maxThreads(workers)
                .threadFactory(r -> {
                    Thread thread = new Thread(r, "interrupted-" + threads.size());
                    threads.add(thread);
                    return thread;
                })
                .build();
    }

    @AfterEach
    void close() {
        Thread.interrupted();
        one.close();
    }

    /** A task that waits for an interrupt and completes this future with true if one came. */
    private static final class Waiter extends CompletableFuture<Boolean> implements Runnable {
        private final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch never = new CountDownLatch(1);

        @Override
        public void run() {
            started.countDown();
            try {
                complete(never.await(30, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                complete(true);
            }
        }

        void release() {
            never.countDown();
        }
    }

    private boolean flagInNextPlainTask() {
        return result(one.submit(() -> Thread.currentThread().isInterrupted()));
    }

    @Test
    void f2_taskLeavesFlagSet_nextTaskStartsClear() {
        Keyed<String> keys = one.keyed("keys");
        one.execute(() -> Thread.currentThread().interrupt());
        assertThat(flagInNextPlainTask()).isFalse();
        keys.execute("a", () -> Thread.currentThread().interrupt());
        assertThat(result(keys.submit("a", () -> Thread.currentThread().isInterrupted())))
                .isFalse();
        keys.coalesce("a", () -> Thread.currentThread().interrupt());
        assertThat(flagInNextPlainTask()).isFalse();
        keys.submit("a", () -> {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("on purpose");
        });
        assertThat(result(keys.submit("a", () -> Thread.currentThread().isInterrupted())))
                .isFalse();
        assertThat(threads).hasSize(1);
    }

    @Test
    void f2_cancelTrue_interruptsItsTaskAndLeavesNothing() {
        for (int i = 0; i < 50; i++) {
            Waiter waiter = new Waiter();
            CompletableFuture<?> future =
                    i % 2 == 0 ? one.submit(waiter) : one.keyed("keys").submit("a", waiter);
            await(waiter.started);
            assertThat(future.cancel(true)).isTrue();
            assertThat(result(waiter)).isTrue();
            assertThat(flagInNextPlainTask()).isFalse();
            assertThatThrownBy(future::get).isInstanceOf(CancellationException.class);
        }
    }

    @Test
    void f2_cancelFalse_doesNotInterrupt() {
        Waiter waiter = new Waiter();
        CompletableFuture<?> future = one.submit(waiter);
        await(waiter.started);
        assertThat(future.cancel(false)).isTrue();
        CompletableFuture<Boolean> next =
                one.submit(() -> Thread.currentThread().isInterrupted());
        waiter.release();
        assertThat(result(waiter)).isTrue();
        assertThat(result(next)).isFalse();
    }

    @Test
    void f2_cancelPending_neverRuns() {
        Gate gate = new Gate();
        one.execute(gate);
        AtomicInteger ran = new AtomicInteger();
        CompletableFuture<?> future = one.submit(ran::incrementAndGet);
        assertThat(future.cancel(true)).isTrue();
        gate.open();
        assertThat(flagInNextPlainTask()).isFalse();
        assertThat(ran).hasValue(0);
    }

    @Test
    void f2_cancelRacingWithTheStart_interruptsItOrKeepsItFromStarting() {
        Keyed<String> keys = one.keyed("keys");
        for (int round = 0; round < 20_000; round++) {
            Waiter waiter = new Waiter();
            AtomicBoolean near = new AtomicBoolean();
            one.execute(() -> near.set(true));
            CompletableFuture<?> target = round % 2 == 0 ? one.submit(waiter) : keys.submit("a", waiter);
            for (int spins = 4_000; spins > 0 && !near.get(); spins--) {
                Thread.onSpinWait();
            }
            target.cancel(true);
        }

        assertThat(flagInNextPlainTask()).isFalse(); // otherwise a waiter would still occupy the only thread
    }

    @Test
    void f2_lateCancel_leavesNothing() {
        CompletableFuture<?> future = one.submit(() -> {});
        result(future);
        Gate gate = new Gate();
        CompletableFuture<Boolean> flag = one.submit(() -> {
            gate.run();
            return Thread.currentThread().isInterrupted();
        });
        gate.awaitEntered();
        assertThat(future.cancel(true)).isFalse();
        gate.open();
        assertThat(result(flag)).isFalse();
    }

    @Test
    void f2_cancelRacingWithTheEnd_hitsNoOtherTask() {
        AtomicInteger hit = new AtomicInteger();
        Runnable victim = () -> {
            for (int i = 0; i < 20; i++) {
                Thread.onSpinWait();
            }
            if (Thread.currentThread().isInterrupted()) {
                hit.incrementAndGet();
            }
        };
        Keyed<String> keys = one.keyed("keys");
        for (int round = 0; round < 5_000; round++) {
            AtomicBoolean started = new AtomicBoolean();
            CompletableFuture<?> target = keys.submit("a", () -> started.set(true));
            keys.execute("a", victim);
            one.execute(victim);
            CompletableFuture<?> last = keys.submit("a", victim);
            for (int spins = round % 64; spins > 0 && !started.get(); spins--) {
                Thread.onSpinWait();
            }
            target.cancel(true);
            if (round % 16 == 0) {
                result(last);
            }
        }
        result(keys.at("a").quiesce());
        assertThat(hit).hasValue(0);
    }

    /**
     * The interrupt is sent but arrives late: its task ends before, and the next one would begin if it were allowed to.
     */
    @Test
    void f2_interruptThatComesLate_hitsNoOtherTask() {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch next = new CountDownLatch(1);
        CountDownLatch arrived = new CountDownLatch(1);
        try (Spindle late = Spindles.options()
                .coreThreads(1)
                .maxThreads(1)
                .threadFactory(r -> new Thread(r) {
                    @Override
                    public void interrupt() {
                        sent.countDown();
                        try {
                            boolean unused = next.await(100, TimeUnit.MILLISECONDS);
                        } catch (InterruptedException e) {
                            throw new AssertionError("no thread interrupts the canceller", e);
                        }
                        super.interrupt();
                        arrived.countDown();
                    }
                })
                .build()) {
            CompletableFuture<?> target = late.submit(() -> {
                started.countDown();
                await(sent);
            });
            CompletableFuture<Boolean> flag = late.submit(() -> {
                next.countDown();
                until(() -> arrived.getCount() == 0);
                return Thread.currentThread().isInterrupted();
            });
            await(started);
            target.cancel(true);
            assertThat(result(flag)).isFalse();
        }
    }

    @Test
    void f2_strandShutdownNow_interruptsItsTurnAndNoOther() {
        try (Spindle two = spindle(3)) {
            Strand first = two.strand("first");
            Waiter hit = new Waiter();
            Waiter spared = new Waiter();
            Waiter plain = new Waiter();
            first.execute(hit);
            two.strand("second").execute(spared);
            two.execute(plain);
            List.of(hit, spared, plain).forEach(w -> await(w.started));
            first.shutdownNow();
            assertThat(result(hit)).isTrue();
            assertThat(spared).isNotDone();
            assertThat(plain).isNotDone();
            spared.release();
            plain.release();
            assertThat(result(two.submit(() -> Thread.currentThread().isInterrupted())))
                    .isFalse();
        }
    }

    @Test
    void f2_strandShutdownNowRacingWithTheEnd_hitsNoOtherTask() {
        AtomicInteger hit = new AtomicInteger();
        Runnable victim = () -> {
            for (int i = 0; i < 50; i++) {
                Thread.onSpinWait();
            }
            if (Thread.currentThread().isInterrupted()) {
                hit.incrementAndGet();
            }
        };
        for (int round = 0; round < 3_000; round++) {
            Strand strand = one.strand("short-lived");
            AtomicBoolean started = new AtomicBoolean();
            strand.execute(() -> started.set(true));
            one.execute(victim);
            CompletableFuture<?> last = one.keyed("keys").submit("other", victim);
            for (int spins = round % 64; spins > 0 && !started.get(); spins--) {
                Thread.onSpinWait();
            }
            strand.shutdownNow();
            if (round % 16 == 0) {
                result(last);
            }
        }
        result(one.submit(victim));
        assertThat(hit).hasValue(0);
    }

    @Test
    void f2_shutdownNow_interruptsWhatRuns() throws InterruptedException {
        try (Spindle two = spindle(2)) {
            Waiter plain = new Waiter();
            Waiter keyed = new Waiter();
            two.execute(plain);
            two.keyed("keys").execute("a", keyed);
            await(plain.started);
            await(keyed.started);
            two.shutdownNow();
            assertThat(result(plain)).isTrue();
            assertThat(result(keyed)).isTrue();
            assertThat(two.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void f2_idleWorkersInterruptedFromOutside_noExitNoTaskLost() {
        Spindle four = spindle(4);
        start(four, 4);
        List<Thread> before = List.copyOf(threads);
        for (int i = 0; i < 200; i++) {
            before.forEach(Thread::interrupt);
            LockSupport.parkNanos(10_000);
        }
        until(() -> four.stats().idleThreads() == 4);
        start(four, 4);
        assertThat(threads).isEqualTo(before).allMatch(Thread::isAlive);
        for (int i = 0; i < 100; i++) {
            assertThat(result(four.submit(() -> Thread.currentThread().isInterrupted())))
                    .isFalse();
        }
        four.close();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void f2_idleWorkersInterruptedFromOutside_doNotSpin() {
        try (Spindle four = spindle(4)) {
            start(four, 4);
            threads.forEach(Thread::interrupt);
            until(() -> four.stats().idleThreads() == 4);
            long before = LinuxThreads.named("interrupted-").cpuMillis();
            long end = System.nanoTime() + 500_000_000;
            while (System.nanoTime() - end < 0) {
                LockSupport.parkNanos(50_000_000);
            }
            assertThat(LinuxThreads.named("interrupted-").cpuMillis() - before).isLessThan(100);
        }
    }

    @Test
    void f2_busyWorkersInterruptedFromOutside_everyTaskRunsOnceInOrder() throws InterruptedException {
        Spindle three = spindle(3);
        start(three, 3);
        AtomicBoolean stop = new AtomicBoolean();
        Thread interrupter = new Thread(() -> {
            while (!stop.get()) {
                threads.forEach(Thread::interrupt);
                LockSupport.parkNanos(20_000);
            }
        });
        interrupter.start();
        int[] next = new int[8]; // plain: ordered by the lanes
        AtomicInteger wrong = new AtomicInteger();
        Keyed<Integer> keys = three.keyed("keys");
        for (int i = 0; i < 80_000; i++) {
            int key = i & 7;
            int number = i >> 3;
            keys.execute(key, () -> {
                if (next[key]++ != number) {
                    wrong.incrementAndGet();
                }
            });
        }
        for (int key = 0; key < 8; key++) {
            result(keys.at(key).quiesce());
        }
        stop.set(true);
        interrupter.join();
        assertThat(next).containsOnly(10_000);
        assertThat(wrong).hasValue(0);
        assertThat(threads).hasSize(4 - 1).allMatch(Thread::isAlive);
        three.close();
    }

    @Test
    void f2_interruptedSubmitter_isServedAndKeepsItsFlag() {
        Thread.currentThread().interrupt();
        CompletableFuture<Boolean> plain =
                one.submit(() -> Thread.currentThread().isInterrupted());
        CompletableFuture<Boolean> keyed =
                one.keyed("keys").submit("a", () -> Thread.currentThread().isInterrupted());
        assertThat(Thread.interrupted()).isTrue();
        assertThat(result(plain)).isFalse();
        assertThat(result(keyed)).isFalse();
    }

    private static void start(Spindle spindle, int workers) {
        List<Gate> gates = new CopyOnWriteArrayList<>();
        for (int i = 0; i < workers; i++) {
            Gate gate = new Gate();
            gates.add(gate);
            spindle.execute(gate);
        }
        gates.forEach(Gate::awaitEntered);
        gates.forEach(Gate::open);
        until(() -> spindle.stats().idleThreads() == workers);
    }
}
