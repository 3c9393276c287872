// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.TestSupport.Gate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** WorkerSet-2, WorkerSet-3 and WorkerSet-7 at the moments at which a wake-up could be lost. */
@Timeout(60)
class WakeUpTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    /** A worker that has found no work reads the clock before it becomes idle. A submit at that moment is not lost. */
    @Test
    void w2_submitWhileAWorkerReadsTheClock_isRun() {
        AtomicReference<@Nullable Runnable> submit = new AtomicReference<>();
        AtomicInteger left = new AtomicInteger();
        Spindle spindle = spindles.of(Spindle.builder()
                .name("w2")
                .coreThreads(1)
                .maxThreads(1)
                .clock(() -> {
                    boolean worker = Thread.currentThread().getName().startsWith("w2");
                    Runnable now = worker && left.decrementAndGet() == 0 ? submit.getAndSet(null) : null;
                    if (now != null) {
                        now.run();
                    }
                    return System.nanoTime();
                }));
        for (int i = 0; i < 2_000; i++) { // until the worker has learned not to spin
            result(spindle.submit(() -> {}));
            until(() -> spindle.stats().idleThreads() == 1);
        }
        int met = 0;
        for (int round = 0; round < 100; round++) {
            CountDownLatch ran = new CountDownLatch(1);
            submit.set(() -> CompletableFuture.runAsync(() -> spindle.execute(ran::countDown))
                    .join());
            left.set(1 + round % 2);

            result(spindle.submit(() -> {}));

            until(() -> submit.get() == null || spindle.stats().idleThreads() == 1);
            if (submit.getAndSet(null) == null) {
                await(ran);
                met++;
            }
            until(() -> spindle.stats().idleThreads() == 1);
        }
        assertThat(met).isGreaterThanOrEqualTo(50);
    }

    @Test
    void w2_taskThatWaitsForItsOwnSubmit_isServedByAnotherWorker() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(2).maxThreads(2));
        List<Gate> gates = List.of(new Gate(), new Gate());
        gates.forEach(spindle::execute);
        gates.forEach(Gate::awaitEntered);
        gates.forEach(Gate::open);
        until(() -> spindle.stats().idleThreads() == 2);

        CompletableFuture<Boolean> served = spindle.submit(() -> {
            CountDownLatch ran = new CountDownLatch(1);
            spindle.execute(ran::countDown);
            return ran.await(5, TimeUnit.SECONDS);
        });

        assertThat(result(served)).isTrue();
    }

    /** One task that two strands send each other, with a count of its changes of thread. */
    private static final class Rally implements Runnable {
        private final Executor[] ends;
        private final Runnable last;
        private int left;
        private int moves;
        private @Nullable Thread before;

        Rally(Spindle spindle, int tasks, Runnable last) {
            ends = new Executor[] {spindle.strand("left"), spindle.strand("right")};
            this.last = last;
            left = tasks;
        }

        @Override
        public void run() {
            moves += before == Thread.currentThread() ? 0 : 1;
            before = Thread.currentThread();
            if (--left == 0) {
                last.run();
            } else {
                ends[left & 1].execute(this);
            }
        }
    }

    @Test
    void w8_twoStrandsThatSendEachOtherOneTask_stayOnOneThread() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(2).maxThreads(2));
        CountDownLatch done = new CountDownLatch(1);
        Rally rally = new Rally(spindle, 600_000, done::countDown);
        rally.ends[0].execute(rally);
        TestSupport.await(done);
        assertThat(rally.moves)
                .isLessThan(150_000); // most of them before the code is compiled, while it is so slow that others help
    }

    /**
     * While two strands send each other one task, the worker that submits it wakes no other, since it takes it next.
     */
    @Test
    void w8_taskThatWaitsForItsOwnSubmitAfterARally_isServedByAnotherWorker() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(2).maxThreads(2));
        for (int round = 0; round < 20; round++) {
            CompletableFuture<Boolean> served = new CompletableFuture<>();
            CountDownLatch ran = new CountDownLatch(1);
            Rally rally = new Rally(spindle, 20_000, () -> {
                spindle.execute(ran::countDown);
                long end = System.nanoTime() + 5_000_000_000L;
                while (ran.getCount() > 0 && System.nanoTime() - end < 0) {
                    Thread.onSpinWait();
                }
                served.complete(ran.getCount() == 0);
            });
            rally.ends[0].execute(rally);
            assertThat(result(served)).isTrue();
        }
    }

    /** The second task is submitted while the factory creates a searching worker for the first. */
    @Test
    void w3_twoTasksForOneSearcher_runAtOnce() {
        Gate first = new Gate();
        Gate second = new Gate();
        AtomicReference<@Nullable Runnable> submit = new AtomicReference<>();
        Spindle spindle =
                spindles.of(spindles.builder().coreThreads(2).maxThreads(2).threadFactory(worker -> {
                    Runnable now = submit.getAndSet(null);
                    if (now != null) {
                        now.run();
                    }
                    return new Thread(worker);
                }));
        submit.set(() -> spindle.execute(second));

        spindle.execute(first);

        first.awaitEntered();
        second.awaitEntered();
        first.open();
        second.open();
    }

    /**
     * All workers are busy and there may be no more. The one that watched the clock gets work before the timer is due.
     */
    @Test
    void w7_timerWhileTheLastWorkerIsBusy_fires() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        AtomicBoolean fired = new AtomicBoolean();
        AtomicBoolean busy = new AtomicBoolean(true);
        CountDownLatch ended = new CountDownLatch(1);
        CompletableFuture<?> due =
                (CompletableFuture<?>) spindle.schedule(() -> fired.set(true), 200, TimeUnit.MILLISECONDS);
        spindle.execute(new Runnable() {
            @Override
            public void run() {
                if (busy.get()) {
                    spindle.execute(this);
                } else {
                    ended.countDown();
                }
            }
        });

        try {
            until(fired::get);
        } finally {
            busy.set(false);
            await(ended);
        }
        result(due);
    }

    // By a clock that stands still work is never stuck, so only blocked workers are replaced.

    @Test
    void t2_blockedWithWorkReady_isReplacedThoughTheClockStandsStill() {
        Spindle spindle =
                spindles.of(spindles.builder().coreThreads(1).maxThreads(2).clock(() -> 0));
        Gate before = new Gate();
        Gate blocked = new Gate();
        spindle.execute(() -> {
            before.run();
            Spindle.callBlocking(() -> {
                blocked.run();
                return null;
            });
        });
        before.awaitEntered();
        CompletableFuture<?> waiting = spindle.submit(() -> {});
        before.open();

        result(waiting);
        blocked.open();
    }

    @Test
    void t2_blockedThatHaveComeBack_areReplacedNoMore() {
        Spindle spindle =
                spindles.of(spindles.builder().coreThreads(1).maxThreads(3).clock(() -> 0));
        for (int i = 0; i < 10; i++) {
            assertThat(result(spindle.submit(() -> Spindle.callBlocking(() -> "blocked"))))
                    .isEqualTo("blocked");
        }
        Gate running = new Gate();
        spindle.execute(running);
        running.awaitEntered();

        CompletableFuture<?> waiting = spindle.submit(() -> {});

        assertThat(spindle.stats().threads()).isEqualTo(1);
        running.open();
        result(waiting);
    }

    @Test
    void t1_workersAddedForBlockedOnes_goOutOfServiceWhenTheseComeBack() {
        Spindle spindle = spindles.of(
                spindles.builder().coreThreads(1).maxThreads(2).growCoreAfter(0).clock(() -> 0));
        Gate blocked = new Gate();
        Gate running = new Gate();
        Gate waiting = new Gate();
        spindle.execute(() -> Spindle.callBlocking(() -> {
            blocked.run();
            return null;
        }));
        blocked.awaitEntered();
        spindle.execute(running);
        running.awaitEntered();
        spindle.execute(waiting);
        blocked.open();

        until(() -> spindle.stats().idleThreads() == 1 || waiting.isEntered());
        assertThat(waiting.isEntered()).as("two work").isFalse();
        running.open();
        waiting.awaitEntered();
        waiting.open();
    }
}
