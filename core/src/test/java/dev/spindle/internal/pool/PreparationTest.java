// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.until;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.timer.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The preparation of a process after its first tasks may take long, since looking up the log waits for class loading
 * and locks of the JDK.
 */
@Timeout(60)
class PreparationTest {
    private final CountDownLatch preparing = new CountDownLatch(1);
    private final CountDownLatch prepared = new CountDownLatch(1);

    private final List<WorkerPool> pools = new ArrayList<>();
    private final AtomicInteger preparations = new AtomicInteger();
    private volatile @Nullable Thread worker;

    @BeforeEach
    void beAFreshProcess() {
        WorkerPool.PREPARED.set(false);
    }

    @AfterEach
    void endWorkers() {
        prepared.countDown();
        pools.forEach(pool -> pool.lifetime().shut(true)); // so that none of them prepares during the next test
    }

    private WorkerPool pool(int max) {
        WorkerPool pool = new WorkerPool(
                new PoolConfig(
                        "test",
                        1,
                        max,
                        0, // workers beyond the core end at once
                        0,
                        Long.MAX_VALUE,
                        body -> {
                            Thread thread = new Thread(body, "prepares");
                            thread.setDaemon(true);
                            worker = thread;
                            return thread;
                        },
                        null,
                        false,
                        true,
                        System::nanoTime,
                        new SlowHost()),
                new Timers(System.nanoTime()));
        pools.add(pool);
        return pool;
    }

    private static void submit(WorkerPool pool, Runnable task) {
        if (!pool.ensureThread()) {
            throw new AssertionError("no thread");
        }
        pool.ready(task);
    }

    /** Submits a task while the worker of {@code pool} prepares. Returns a latch that opens when the task has run. */
    private CountDownLatch submitMeanwhile(WorkerPool pool) {
        submit(pool, () -> {});
        await(preparing);
        CountDownLatch ran = new CountDownLatch(1);
        submit(pool, ran::countDown);
        return ran;
    }

    @Test
    void w4_workerThatPrepares_hidesNoWakeUp() {
        CountDownLatch ran = submitMeanwhile(pool(2));

        await(ran); // on the other worker
    }

    @Test
    void w2_taskThatComesMeanwhile_runsAfterwards() {
        CountDownLatch ran = submitMeanwhile(pool(1));

        prepared.countDown();

        await(ran);
    }

    @Test
    void preparedProcess_isNotPreparedAgain_andIdleWorkersOfOtherPoolsParkUntilWoken() {
        prepared.countDown();
        submit(pool(1), () -> {});
        await(preparing);
        Thread first = requireNonNull(worker);

        submit(pool(1), () -> {});

        Thread second = requireNonNull(worker);
        until(() -> first.getState() == Thread.State.WAITING && second.getState() == Thread.State.WAITING);
        assertThat(preparations).hasValue(1);
    }

    @Test
    void poolThatIsShutDown_isNotPrepared() {
        WorkerPool pool = pool(1);
        pool.lifetime().shut(false);

        submit(pool, () -> {});

        until(() -> requireNonNull(worker).getState() == Thread.State.WAITING);
        pool.beginPreparation(); // a worker has found the preparation due, just before the shutdown
        until(() -> !WorkerPool.PREPARED.get()); // so another pool prepares
        assertThat(preparations).hasValue(0);
    }

    @Test
    void poolThatHasEnded_leavesThePreparationToAnother() {
        WorkerPool pool = pool(1);
        assertThat(pool.lifetime().end(pool.lifetime().look())).isTrue();

        pool.beginPreparation();

        assertThat(WorkerPool.PREPARED).isFalse();
    }

    private final class SlowHost extends HostStub {
        SlowHost() {
            super(false);
        }

        @Override
        public void prepare() {
            preparations.incrementAndGet();
            preparing.countDown();
            while (prepared.getCount() > 0) { // longer than a test waits for anything
                LockSupport.parkNanos(1_000_000); // consumes a permit, if there is one
            }
        }
    }
}
