// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.pool.wake.WorkerState;
import dev.spindle.internal.timer.Timers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A worker set without threads. The test performs the steps of each worker one by one, and so reaches the moments at
 * which a worker has left service but is still counted.
 */
abstract class WorkerSetFixture {
    static final long KEEP_ALIVE = 1_000_000_000;

    final List<Worker> hired = new ArrayList<>();
    final Timers timers = new Timers(0);
    final TheHost host = new TheHost();
    long now;
    private int looks;
    Thread service = new Unstarted(); // the clock thread
    Runnable meanwhile = () -> {}; // runs once, in the factory

    WorkerPool pool(int core, int max) {
        return new WorkerPool(
                new PoolConfig(
                        "test",
                        core,
                        max,
                        KEEP_ALIVE,
                        0,
                        Long.MAX_VALUE,
                        this::hire,
                        null,
                        false,
                        true,
                        () -> now,
                        host),
                timers,
                (body, name) -> service);
    }

    private Thread hire(Runnable worker) {
        hired.add((Worker) worker);
        Runnable now = meanwhile;
        meanwhile = () -> {};
        now.run();
        return new Unstarted();
    }

    /** Lets {@code worker} take a ready entry; it is busy from then on. */
    static void take(WorkerPool pool, WorkerSet workers, Worker worker) {
        assertThat(pool.queue().poll(worker.view)).isNotNull();
        if (worker.state() == WorkerState.SEARCHING) {
            workers.found(worker);
        }
    }

    static void submit(WorkerPool pool) {
        assertThat(pool.ensureThread()).isTrue();
        pool.ready((Runnable) () -> {});
    }

    void look(WorkerSet workers) {
        assertThat(++looks).as("looks").isLessThan(100);
        now = Math.max(now + 1, workers.limit.nextLook());
        workers.watchdog().look(now);
    }

    /** Takes a look while the tasks of {@code busy} wait, so that the threads of these workers do not run. */
    void lookWhileTheyWait(WorkerSet workers, List<Worker> busy) {
        Runnable look = () -> look(workers);
        for (Worker worker : busy) {
            Runnable inner = look;
            look = () -> worker.run("key", inner);
        }
        look.run();
    }

    void watchToTheEnd(WorkerSet workers) {
        while (workers.watchdog().state().isOn()) { // until the watch ends
            look(workers);
        }
    }

    /** A thread that is never started and stands for a worker's. */
    static class Unstarted extends Thread {
        @Override
        public synchronized void start() {}
    }

    static final class NoTimer extends Timers.Timer {
        @Override
        public void turn(WorkerContext r) {
            throw new AssertionError("must not be fired");
        }
    }

    /** A host with or without work outside the pool; {@code meanwhile} runs while a thread asks it. */
    static final class TheHost implements PoolConfig.Host {
        final List<Throwable> failures = new ArrayList<>();
        boolean quiescent = true;
        int terminated;

        @Nullable
        Runnable meanwhile;

        @Override
        public void taskFailed(@Nullable Object key, Runnable task, Throwable failure) {
            throw new AssertionError(failure);
        }

        @Override
        public void threadFailed(Throwable failure) {
            failures.add(failure);
        }

        @Override
        public boolean isQuiescent() {
            boolean answer = quiescent;
            Runnable other = meanwhile;
            meanwhile = null;
            if (other != null) {
                other.run();
            }
            return answer;
        }

        @Override
        public void terminated() {
            terminated++;
        }
    }
}
