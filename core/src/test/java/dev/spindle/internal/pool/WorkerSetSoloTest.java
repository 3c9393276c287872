// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.pool.wake.WorkerState;
import org.junit.jupiter.api.Test;

/** WorkerSet-11, step by step. */
class WorkerSetSoloTest extends WorkerSetFixture {
    private static final int MANY = 100_000;

    private final WorkerPool pool = pool(2, 2);
    private final WorkerSet workers = pool.workers();

    /** Runs trials that show that one worker gets more done than two. */
    private void untilSolo() {
        submit(pool);
        take(pool, workers, hired.get(0));
        submit(pool);
        take(pool, workers, hired.get(1));
        for (int i = 0; i < 3 && !workers.limit.isSolo(); i++) {
            window(MANY);
        }
        assertThat(workers.limit.isSolo()).isTrue();
    }

    private void window(int steps) {
        hired.get(0).countSteps(steps);
        now += SoloTrial.WINDOW_NANOS;
        workers.watchdog().tryWorkers(now);
    }

    private Worker retreated() {
        Worker second = hired.get(1);
        assertThat(workers.watchdog().hasSurplus()).isTrue();
        assertThat(workers.retreat(second)).isTrue();
        assertThat(workers.watchdog().hasSurplus()).isFalse();
        return second;
    }

    private void lookSoon() {
        now += 250_000;
        workers.watchdog().look(now);
    }

    @Test
    void solo_oneRetreats_andIsNotWokenByWhatBecomesReady() {
        untilSolo();
        Worker second = retreated();
        assertThat(second.state()).isEqualTo(WorkerState.IDLE);

        submit(pool);
        submit(pool);

        assertThat(second.state()).isEqualTo(WorkerState.IDLE);
        assertThat(hired).hasSize(2);
    }

    @Test
    void solo_whileTheOneGoesOn_isKept() {
        untilSolo();
        Worker second = retreated();
        submit(pool);
        for (int i = 0; i < 20; i++) {
            hired.get(0).countSteps(1);
            lookSoon();

            assertThat(second.state()).isEqualTo(WorkerState.IDLE);
        }
    }

    @Test
    void solo_nothingDoneWhileWorkIsReady_anotherTakesIt() {
        untilSolo();
        Worker second = retreated();
        submit(pool);
        for (int i = 0; i < 3; i++) {
            lookSoon();
        }

        assertThat(workers.limit.isSolo()).isFalse();
        assertThat(second.state()).isEqualTo(WorkerState.SEARCHING);
    }

    @Test
    void solo_nothingDoneAndNothingReady_isKept() {
        untilSolo();
        retreated();
        for (int i = 0; i < 20; i++) {
            lookSoon();
        }

        assertThat(workers.limit.isSolo()).isTrue();
    }

    @Test
    void solo_theOneBlocks_anotherTakesWhatIsReady() {
        untilSolo();
        Worker second = retreated();
        submit(pool);
        workers.beginBlocking();

        assertThat(second.state()).isEqualTo(WorkerState.SEARCHING);
    }

    @Test
    void solo_noneIsAwakeAnyMore_ends() {
        untilSolo();
        Worker second = retreated();
        workers.becomeIdle(hired.get(0), false);

        assertThat(workers.limit.isSolo()).isFalse();
        assertThat(second.state()).isEqualTo(WorkerState.IDLE);
    }

    @Test
    void solo_allGetMoreDone_allWorkAgain() {
        untilSolo();
        Worker second = retreated();
        submit(pool);
        window(MANY / 2);

        assertThat(second.state()).isEqualTo(WorkerState.SEARCHING);
    }

    @Test
    void solo_beforeAnyRetreats_shutdownEndsAll() {
        untilSolo();
        pool.stop();
        workers.becomeIdle(hired.get(0), false);
        workers.becomeIdle(hired.get(1), false);
        workers.finish();

        assertThat(hired).allMatch(worker -> worker.state() == WorkerState.ENDING);
    }
}
