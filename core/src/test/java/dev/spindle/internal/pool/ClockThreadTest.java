// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.Scheduler;
import dev.spindle.internal.TimerQueue;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.pool.watch.ClockThread;
import dev.spindle.internal.timer.Timers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClockThreadTest {
    private final Timers timers = new Timers(System.nanoTime());
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final List<Thread> made = new CopyOnWriteArrayList<>();
    private final AtomicInteger refusals = new AtomicInteger();
    private final CountDownLatch end = new CountDownLatch(1);
    private Runnable refused = () -> {};

    private @Nullable WorkerPool pool;

    private WorkerPool pool(LongSupplier clock) {
        PoolConfig config = new PoolConfig(
                "test",
                1,
                1,
                Long.MAX_VALUE,
                0,
                200_000,
                new DefaultThreads("test"),
                null,
                false,
                true,
                clock,
                new Host());
        WorkerPool made = new WorkerPool(config, timers, this::serviceThread);
        pool = made;
        return made;
    }

    private Thread serviceThread(Runnable body, String name) {
        if (refusals.getAndDecrement() > 0) {
            refused.run();
            throw new OutOfMemoryError("unable to create native thread");
        }
        Thread thread = DefaultThreads.waiter(body, name);
        made.add(thread);
        return thread;
    }

    @AfterEach
    void endPool() {
        end.countDown();
        if (pool != null) {
            pool.stop();
        }
    }

    /** Occupies a worker until the end of the test. */
    private void occupy(WorkerPool pool) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        pool.ensureThread();
        pool.ready((Runnable) () -> {
            begun.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
    }

    private Due add(WorkerPool pool, long nanos) {
        Due due = new Due();
        assertThat(timers.add(due, System.nanoTime() + nanos, pool)).isTrue();
        return due;
    }

    private void endsSoon(Thread thread) throws InterruptedException {
        thread.join(20_000);
        assertThat(thread.isAlive()).as(thread.getName()).isFalse();
    }

    @Test
    void t1_nothingIsLeft_theTwoThreadsEnd() throws InterruptedException {
        WorkerPool pool = pool(System::nanoTime);

        add(pool, 1_000_000).await();

        assertThat(made).extracting(Thread::getName).containsExactly("test-clock", "test-completer");
        assertThat(made).allMatch(Thread::isDaemon);
        for (Thread thread : made) {
            endsSoon(thread);
        }
        add(pool, 1_000_000).await();
        assertThat(made).hasSize(4);
    }

    @Test
    void w7_noClockThreadCanBeStarted_idleWorkerLooks() throws InterruptedException {
        WorkerPool pool = pool(System::nanoTime);
        refusals.set(Integer.MAX_VALUE);

        add(pool, 1_000_000).await();

        assertThat(pool.workers().watchdog().isUnwatched()).isTrue();
    }

    @Test
    void w7_noClockThreadCouldBeStartedForAWhile_isStartedLater() throws InterruptedException {
        WorkerPool pool = pool(System::nanoTime);
        refusals.set(2);

        Due due = add(pool, 10_000_000_000L);
        while (pool.workers().watchdog().isUnwatched()) {
            Thread.onSpinWait();
        }

        assertThat(pool.workers().watchdog().clock().isThere()).isTrue();
        assertThat(timers.remove(due)).isTrue();
    }

    /** Simulates a JVM that collects garbage before it fails for want of memory. */
    @Test
    void f5_startThatTakesLongAndFails_isTriedAgainAfterATimeLonger() {
        AtomicLong now = new AtomicLong();
        WorkerPool pool = pool(now::get);
        refusals.set(Integer.MAX_VALUE);
        refused = () -> now.addAndGet(30_000_000);
        ClockThread clock = pool.workers().watchdog().clock();

        assertThat(clock.ensure(true)).isFalse();
        for (int i = 0; i < 11; i++) {
            now.addAndGet(10_000_000);
            assertThat(pool.nanoTime()).isEqualTo(now.get());
            assertThat(clock.ensure(true)).isFalse();
        }

        assertThat(refusals).as("one attempt").hasValue(Integer.MAX_VALUE - 1);
        now.addAndGet(10_000_000);
        assertThat(pool.nanoTime()).isEqualTo(now.get());
        assertThat(clock.ensure(true)).isFalse();
        assertThat(refusals).as("another one").hasValue(Integer.MAX_VALUE - 2);
    }

    @Test
    void w10_noClockThreadAndWorkIsStuck_workersLook() throws InterruptedException {
        WorkerPool pool = pool(System::nanoTime);
        refusals.set(Integer.MAX_VALUE);
        occupy(pool);

        pool.ready((Runnable) () -> {});

        assertThat(pool.workers().watchdog().state().isArmed()).isTrue();
        assertThat(pool.workers().watchdog().isLookDue(System.nanoTime() + 5_000_000))
                .isTrue();
    }

    @Test
    void u1_clockThatThrows_isReadAgainAndReported() throws InterruptedException {
        AtomicInteger broken = new AtomicInteger();
        WorkerPool pool = pool(() -> {
            if (Thread.currentThread().getName().endsWith("-clock") && broken.getAndDecrement() > 0) {
                throw new IllegalStateException("on purpose");
            }
            return System.nanoTime();
        });
        occupy(pool);
        broken.set(2);

        add(pool, 1_000_000).await();

        while (failures.isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(failures).allMatch(failure -> "on purpose".equals(failure.getMessage()));
    }

    /** A limit that is due. */
    @Test
    void u1_limitThatFails_isReportedAndTheNextLimitActs() throws InterruptedException {
        WorkerPool pool = pool(System::nanoTime);
        occupy(pool); // no worker can act instead
        Error failure = new AssertionError("on purpose");
        Timers.Limit failing = new Timers.Limit() {
            @Override
            protected void act() {
                throw failure;
            }
        };
        assertThat(timers.add(failing, System.nanoTime(), pool)).isTrue();

        add(pool, 1_000_000).await();
        assertThat(failures).containsExactly(failure);
    }

    @Test
    void a3_lockConsumesThePermitOfAnUnpark_dutiesAreReadAgain() throws InterruptedException {
        WorkerPool pool = pool(System::nanoTime);
        CountDownLatch readAgain = new CountDownLatch(2);
        ClockThread[] own = new ClockThread[1];
        TimerQueue queue = new TimerQueue() {
            @Override
            public boolean isEmpty() {
                return readAgain.getCount() == 0;
            }

            @Override
            public boolean isOverdue(long now, long nanos) {
                return false;
            }

            @Override
            public long untilNext(long now) {
                if (readAgain.getCount() == 2) {
                    own[0].ensure(true); // as by another thread
                    LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(20)); // as a lock does, which consumes the permit
                }
                readAgain.countDown();
                return Long.MAX_VALUE;
            }

            @Override
            public void fire(long now, Scheduler scheduler) {}
        };
        own[0] = new ClockThread(
                pool, queue, pool.workers().watchdog().state(), pool.workers().watchdog().looks, pool.completer());

        assertThat(own[0].ensure(false)).isTrue();

        assertThat(readAgain.await(20, TimeUnit.SECONDS)).isTrue();
    }

    private static final class Due extends Timers.Limit {
        private final CountDownLatch passed = new CountDownLatch(1);

        @Override
        protected void act() {
            assertThat(WorkerContext.current()).isNotNull();
            passed.countDown();
        }

        void await() throws InterruptedException {
            assertThat(passed.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    private final class Host implements PoolConfig.Host {
        @Override
        public void taskFailed(@Nullable Object key, Runnable task, Throwable failure) {
            failures.add(failure);
        }

        @Override
        public void threadFailed(Throwable failure) {
            failures.add(failure);
        }

        @Override
        public boolean isQuiescent() {
            return true;
        }

        @Override
        public void terminated() {}
    }
}
