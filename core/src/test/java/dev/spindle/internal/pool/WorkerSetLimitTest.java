// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.pool.wake.WorkerState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The adherence of the worker set to its limit (WorkerSet-5). */
class WorkerSetLimitTest extends WorkerSetFixture {
    @Test
    void w5_limitRisesWhileWorkIsReady_aWorkerIsWoken() {
        WorkerPool pool = pool(1, 8);
        WorkerSet workers = pool.workers();
        submit(pool);
        take(pool, workers, hired.get(0));
        submit(pool);
        assertThat(hired).hasSize(1);

        lookWhileTheyWait(workers, List.of(hired.get(0)));

        assertThat(hired).hasSize(2);
        assertThat(hired.get(1).state()).isEqualTo(WorkerState.SEARCHING);
    }

    @Test
    void w5_moreAwakeThanTheBaseByALimitFromBefore_areLookedAt() {
        WorkerPool pool = pool(1, 8);
        WorkerSet workers = withFourThatMayBeAwake(pool);
        assertThat(hired).hasSize(4);
        watchToTheEnd(workers);
        hired.subList(1, 4).forEach(worker -> workers.becomeIdle(worker, false));

        submit(pool);

        assertThat(workers.watchdog().state().isArmed()).isTrue();
    }

    /** The clock thread sleeps until its timer is due, which may be an hour away. */
    @Test
    void w5_moreAwakeThanTheBaseByALimitFromBefore_wakeTheClockThread() throws InterruptedException {
        AtomicBoolean mayWake = new AtomicBoolean();
        Thread sleeper = new Thread(() -> {
            do {
                LockSupport.park();
            } while (!mayWake.get());
        });
        sleeper.setDaemon(true);
        service = sleeper;
        WorkerPool pool = pool(1, 8);
        WorkerSet workers = pool.workers();
        submit(pool);
        take(pool, workers, hired.get(0));
        submit(pool);
        lookWhileTheyWait(workers, List.of(hired.get(0))); // the limit rises
        take(pool, workers, hired.get(1));
        watchToTheEnd(workers);
        workers.becomeIdle(hired.get(0), false);
        assertThat(timers.add(new NoTimer(), now + Long.MAX_VALUE / 2, pool)).isTrue();
        while (sleeper.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        mayWake.set(true);

        submit(pool);

        assertThat(workers.watchdog().state().isArmed()).isTrue();
        sleeper.join(20_000);
        assertThat(sleeper.isAlive()).as("whether the clock thread sleeps").isFalse();
    }

    /** Returns a worker set with three workers at work and a limit of four, without ready work. */
    private WorkerSet withFourThatMayBeAwake(WorkerPool pool) {
        WorkerSet workers = pool.workers();
        submit(pool);
        take(pool, workers, hired.get(0));
        submit(pool);
        List<Worker> busy = new ArrayList<>(List.of(hired.get(0)));
        for (int next = 1; next <= 2; next++) {
            lookWhileTheyWait(workers, busy); // the limit rises
            take(pool, workers, hired.get(next));
            busy.add(hired.get(next));
            submit(pool);
        }
        take(pool, workers, hired.get(3));
        assertThat(workers.limit.limit()).isEqualTo(4);
        return workers;
    }

    private void restWithOneAtWork(WorkerSet workers) {
        hired.subList(1, 4).forEach(worker -> workers.becomeIdle(worker, false));
        watchToTheEnd(workers);
    }

    @Test
    void w5_workersWaitedWhileNothingWasReady_soManyAndTheBaseStayReadyForAWhile() {
        WorkerPool pool = pool(1, 8);
        WorkerSet workers = withFourThatMayBeAwake(pool);
        lookWhileTheyWait(workers, List.of(hired.get(0), hired.get(1), hired.get(2)));
        restWithOneAtWork(workers);
        assertThat(workers.limit.limit()).isEqualTo(4);

        now += 200_000_000; // two windows of RecentMaximum
        hired.get(0).run("key", () -> submit(pool));

        assertThat(workers.limit.limit()).as("one that waits, and the base").isEqualTo(2);
    }

    @Test
    void w5_workersWaitedWhileWorkWasReady_theLimitIsNotKept() {
        WorkerSet workers = withFourThatMayBeAwake(pool(1, 8));
        restWithOneAtWork(workers);
        assertThat(workers.limit.limit()).isEqualTo(2);
    }

    /** Simulates the resize of a container. */
    @Test
    void t3_otherProcessorsWhenThePoolBecomesIdle_areTheNewBase() {
        WorkerPool pool = pool(8, 64);
        WorkerSet workers = pool.workers();
        submit(pool);
        take(pool, workers, hired.get(0));
        workers.watchdog().processors = () -> 5;
        workers.becomeIdle(hired.get(0), false);
        assertThat(workers.limit.base()).as("read a moment ago").isNotEqualTo(5);
        submit(pool);
        now += Watchdog.PROCESSORS_NANOS;
        hired.get(0).readClock();
        take(pool, workers, hired.get(0));

        workers.becomeIdle(hired.get(0), false);

        assertThat(workers.limit.base()).isEqualTo(5);
        assertThat(workers.limit.mostComputing()).isEqualTo(7);
    }

    @Test
    void t3_otherProcessorsWhenThePoolGrows_areTheNewBase() {
        WorkerPool pool = pool(8, 64);
        pool.workers().watchdog().processors = () -> 5;
        now += Watchdog.PROCESSORS_NANOS;
        pool.nanoTime();

        submit(pool);

        assertThat(pool.workers().limit.base()).isEqualTo(5);
    }

    /** Under a constant load the pool neither grows nor becomes idle. */
    @Test
    void t3_moreProcessorsWhileTheWorkersAreLookedAt_anotherWorkerIsWoken() {
        WorkerPool pool = pool(8, 64);
        WorkerSet workers = pool.workers();
        workers.limit.processorsAre(1, 8);
        workers.limit.begin(now, 0);
        submit(pool);
        take(pool, workers, hired.get(0));
        submit(pool);
        assertThat(hired).hasSize(1);
        workers.watchdog().processors = () -> 2;
        now += Watchdog.PROCESSORS_NANOS;

        look(workers);

        assertThat(workers.limit.base()).isEqualTo(2);
        assertThat(hired).hasSize(2);
    }
}
