// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.TestSupport.Gate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** U1: a user's thread class may override {@code interrupt} and throw in it. */
@Timeout(60)
class InterruptThatThrowsTest {
    /** A task that can be compared with the returned ones. */
    private enum Nothing implements Runnable {
        TASK;

        @Override
        public void run() {}
    }

    private final AtomicInteger interrupts = new AtomicInteger();
    private final Gate running = new Gate();
    private final Spindle spindle = Spindle.builder()
            .coreThreads(1)
            .maxThreads(1)
            .threadFactory(Sturdy::new)
            .build();

    private final class Sturdy extends Thread {
        Sturdy(Runnable body) {
            super(body);
        }

        @Override
        public void interrupt() {
            interrupts.incrementAndGet();
            throw new SecurityException("on purpose");
        }
    }

    private void ends() throws InterruptedException {
        running.open();
        spindle.shutdown();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(interrupts).hasValue(1);
    }

    @Test
    void u1_cancelWhoseInterruptThrows_theWorkerGoesOn() throws InterruptedException {
        CompletableFuture<?> future = spindle.submit(running);
        running.awaitEntered();

        assertThat(future.cancel(true)).isTrue();

        running.open();
        assertThat(result(spindle.submit(() -> 1))).isEqualTo(1);
        ends();
    }

    @Test
    void u1_shutdownNowOfASpindleWhoseInterruptThrows_returnsAllTasks() throws InterruptedException {
        spindle.execute(running);
        running.awaitEntered();
        spindle.execute(Nothing.TASK);

        assertThat(spindle.shutdownNow()).isEqualTo(List.of(Nothing.TASK));

        ends();
    }

    @Test
    void u1_shutdownNowOfAStrandWhoseInterruptThrows_returnsAllTasks() throws InterruptedException {
        Strand strand = spindle.strand("s");
        strand.execute(running);
        running.awaitEntered();
        strand.execute(Nothing.TASK);

        assertThat(strand.shutdownNow()).isEqualTo(List.of(Nothing.TASK));

        running.open();
        assertThat(strand.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        ends();
    }

    @Test
    void u1_shutdownNowOfALogicalExecutorWhoseInterruptThrows_returnsAllTasks() throws InterruptedException {
        LogicalExecutor executor = spindle.executor("e", 1);
        executor.execute(running);
        running.awaitEntered();
        executor.execute(Nothing.TASK);

        assertThat(executor.shutdownNow()).isEqualTo(List.of(Nothing.TASK));

        running.open();
        assertThat(executor.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        ends();
    }

    /** After a task that the submitter runs itself, its interrupt flag is set again. */
    @Test
    void u1_callerWhoseInterruptThrows_itsTaskIsCountedAsEnded() throws InterruptedException {
        LogicalExecutor executor = spindle.executorBuilder("e")
                .maxConcurrency(1)
                .capacity(1, OnFull.callerRuns())
                .build();
        executor.execute(running);
        running.awaitEntered();
        executor.execute(Nothing.TASK);
        CountDownLatch ran = new CountDownLatch(1);
        Thread caller = new Thread() {
            @Override
            public void run() {
                interrupt();
                executor.execute(ran::countDown);
            }

            @Override
            public void interrupt() {
                if (ran.getCount() == 0) {
                    interrupts.incrementAndGet();
                    throw new SecurityException("on purpose");
                }
                super.interrupt();
            }
        };
        caller.start();
        await(ran);
        caller.join();
        running.open();
        executor.shutdown();
        assertThat(executor.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    /** Every overridable method of the thread's class throws. */
    @Test
    void u1_threadThatTellsNothing_runsTasksAndCompletesFutures() throws InterruptedException {
        Spindle silent = Spindle.builder()
                .coreThreads(1)
                .maxThreads(2)
                .threadFactory(Silent::new)
                .build();
        assertThat(result(silent.submit(() -> 1))).isEqualTo(1);
        assertThat(result(silent.keyed("keys").submit("key", () -> 2))).isEqualTo(2);
        CompletableFuture<?> outcome = silent.keyed("keys").coalesce("key", () -> {});
        assertThat(result(outcome)).isEqualTo(true);
        silent.shutdown();
        assertThat(silent.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    private static final class Silent extends Thread {
        Silent(Runnable body) {
            super(body);
        }

        @Override
        public boolean isInterrupted() {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public State getState() {
            throw new IllegalStateException("on purpose");
        }
    }
}
