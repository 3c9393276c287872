// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.pool.wake.WorkerState;
import dev.spindle.internal.timer.Timers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Threads that do not run: at the moment of a start, the test performs the steps of the worker. */
class ThreadStarterTest {
    private final List<Worker> hired = new ArrayList<>();
    private final PoolConfig config = new PoolConfig(
            "test",
            1,
            2,
            Long.MAX_VALUE,
            0,
            Long.MAX_VALUE,
            this::hire,
            null,
            false,
            true,
            () -> 0,
            new HostStub(false));
    private final WorkerPool pool = new WorkerPool(config, new Timers(0));
    private final WorkerSet workers = pool.workers();
    private Runnable started = () -> {}; // runs once

    private Thread hire(Runnable worker) {
        hired.add((Worker) worker);
        return new Thread() {
            @Override
            public synchronized void start() {
                Runnable now = started;
                started = () -> {};
                now.run();
            }
        };
    }

    private void submit() {
        assertThat(pool.ensureThread()).isTrue();
        pool.ready((Runnable) () -> {});
    }

    /** The worker ends in its first steps, for want of memory for example. */
    @Test
    void w1_workerThatEndsBeforeItsStarterCountsIt_isCountedOutOnce() {
        started = () -> workers.ended(hired.get(0));

        submit();

        assertThat(hired).hasSize(2);
        assertThat(workers.counts(0).threads()).isOne();
        assertThat(hired.get(1).state()).isEqualTo(WorkerState.SEARCHING);
    }
}
