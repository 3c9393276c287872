// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import static dev.spindle.internal.pool.WorkerRegistry.Look;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.TestSupport;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.pool.wake.WorkerNode;
import dev.spindle.internal.pool.wake.WorkerState;
import dev.spindle.internal.pool.wake.WorkerStates;
import dev.spindle.internal.timer.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The results of looks at workers whose threads the test chooses. */
@Timeout(60)
class WorkerRegistryTest {
    private final WorkerStates states = new WorkerStates(Integer.MAX_VALUE);
    private final ReentrantLock own = states.lock();
    private final WorkerRegistry registry = new WorkerRegistry(states);
    private final List<Thread> threads = new ArrayList<>();

    @AfterEach
    void end() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Adds a worker at work with the given thread. */
    private Worker worker(Thread thread) {
        return worker(pool(), thread);
    }

    private Worker worker(WorkerPool pool, Thread thread) {
        Worker worker = new Worker(pool, pool.workers(), config(), false);
        states.add(worker);
        states.move(worker, WorkerState.WORKING);
        worker.thread = thread;
        registry.add(worker);
        return worker;
    }

    private static WorkerPool pool() {
        return new WorkerPool(config(), new Timers(0));
    }

    private static PoolConfig config() {
        return new PoolConfig(
                "test", 2, 4, 1, 0, Long.MAX_VALUE, Thread::new, null, false, true, () -> 0, new HostStub(true));
    }

    /** Returns a thread that is queued on a lock that the test holds. */
    private Thread queuedOn(ReentrantLock lock) {
        Thread thread = new Thread(() -> {
            lock.lock();
            try {
                Thread.yield();
            } finally {
                lock.unlock();
            }
        });
        threads.add(thread);
        thread.start();
        TestSupport.until(() -> lock.hasQueuedThread(thread) && thread.getState() == Thread.State.WAITING);
        return thread;
    }

    private Look look() {
        return registry.look(false);
    }

    /** Returns the result of the last of {@code looks} looks while {@code worker} runs a task. */
    private Look lookDuringTask(Worker worker, int looks) {
        List<Look> seen = new ArrayList<>();
        worker.run("key", () -> {
            for (int i = 0; i < looks; i++) {
                seen.add(look());
            }
        });
        assertThat(worker.failed()).isZero();
        return seen.get(looks - 1);
    }

    @Test
    void add_afterWorkersHaveEnded_eachWorkerIsThereOnce() {
        WorkerPool pool = pool();
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            workers.add(worker(pool, new Thread()));
        }
        for (int i = 99; i >= 0; i -= 2) {
            registry.ended(workers.remove(i));
        }
        registry.remove(workers.get(0));
        registry.remove(workers.remove(0)); // again, as after a start that has failed
        for (int i = 0; i < 80; i++) {
            workers.add(worker(pool, new Thread()));
        }

        List<Worker> found = new ArrayList<>();
        registry.forEach(found::add);

        assertThat(found).containsExactlyInAnyOrderElementsOf(workers);
    }

    /** A look at all of them would take longer than the time between two looks. */
    @Test
    void t3_moreWorkersThanASample_areJudgedByTheSampleAndTheLastThatMoved() {
        CountDownLatch ends = new CountDownLatch(1);
        Thread parked = parkedOn(this, ends);
        WorkerPool pool = pool();
        for (int i = 0; i < 5_000; i++) {
            worker(pool, parked);
        }
        Worker moves = worker(pool, parked);
        for (int i = 0; i < 45; i++) {
            look();
        }
        assertThat(look()).isEqualTo(new Look(5_001, 5_001, 0, false));

        int ended = 0;
        for (int i = 0; i < 40; i++) {
            moves.run("key", () -> {});
            ended += look().ended() ? 1 : 0;
        }

        assertThat(ended).as("looks that found a step, after the first round").isGreaterThanOrEqualTo(19);
        assertThat(look().working()).isEqualTo(5_001);
        look();
        assertThat(look().ended()).isFalse();

        ends.countDown();
        LockSupport.unpark(parked);
    }

    @Test
    void t3_fewWorkersAtWorkAmongManyIdleOnes_areInEachSample() {
        CountDownLatch ends = new CountDownLatch(1);
        Thread parked = parkedOn(this, ends);
        WorkerPool pool = pool();
        worker(pool, parked);
        for (int i = 0; i < 5_000; i++) {
            Worker worker = worker(pool, parked);
            states.move(worker, WorkerState.IDLE);
        }
        worker(pool, parked);
        look();
        for (int i = 0; i < 10; i++) {
            assertThat(look()).isEqualTo(new Look(2, 2, 0, false));
        }
        assertThat(registry.countWaiting()).isEqualTo(2);
        WorkerNode woken = requireNonNull(states.wake(Integer.MAX_VALUE));
        states.move(woken, WorkerState.WORKING);
        look();
        assertThat(look()).isEqualTo(new Look(3, 3, 0, false));

        ends.countDown();
        LockSupport.unpark(parked);
    }

    /** This happens if a worker becomes idle during the look. */
    @Test
    void w5_workerThatWaitsForWork_isNotTakenForOneThatWaitsAtWork() {
        Thread thread = new Thread(() -> {});
        Worker worker = worker(thread);
        Object pool = worker.scheduler();
        CountDownLatch ends = new CountDownLatch(1);
        Thread parked = parkedOn(pool, ends);
        worker.thread = parked;

        assertThat(look()).isEqualTo(new Look(0, 0, 0, false));

        ends.countDown();
        LockSupport.unpark(parked);
    }

    /** Such code is the action of a time limit or a callback. */
    @Test
    void t7_workerThatWaitsInCodeThatIsNoTask_waitsAtWork() {
        CountDownLatch ends = new CountDownLatch(1);
        Thread parked = parkedOn(this, ends);
        worker(parked);

        assertThat(look()).isEqualTo(new Look(1, 1, 0, false));

        ends.countDown();
        LockSupport.unpark(parked);
    }

    /** Users' factories create threads of any class. */
    @Test
    void u1_threadWhoseStateCannotBeAsked_countsAsOneThatComputes() {
        worker(new Thread() {
            @Override
            public State getState() {
                throw new IllegalStateException("on purpose");
            }
        });

        assertThat(look().waiting()).isZero();
        assertThat(look().working()).isOne();
    }

    private Thread parkedOn(Object blocker, CountDownLatch ends) {
        Thread thread = new Thread(() -> {
            while (ends.getCount() > 0) {
                LockSupport.park(blocker);
            }
        });
        threads.add(thread);
        thread.start();
        TestSupport.until(() -> LockSupport.getBlocker(thread) == blocker && thread.getState() == Thread.State.WAITING);
        return thread;
    }

    /** It submits, and the thread that holds the lock has lost its processor. */
    @Test
    void w5_workerThatWaitsForTheWorkerSetInsideATask_isNotTakenForOneThatWaitsAtWork() {
        own.lock();
        try {
            assertThat(lookDuringTask(worker(queuedOn(own)), 10)).isEqualTo(new Look(0, 0, 0, false));
        } finally {
            own.unlock();
        }
    }

    @Test
    void w5_workerThatWaitsForAnotherLockAndEndsNothing_waits() {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        try {
            assertThat(lookDuringTask(worker(queuedOn(lock)), 10)).isEqualTo(new Look(1, 1, 0, false));
        } finally {
            lock.unlock();
        }
    }
}
