// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** That the harness would notice a contender that loses a task or runs one twice. */
class TallyTest {
    @Test
    void miscounted_eachTaskOnce_isZero() {
        Tally tally = Tally.checked(3);
        run(tally.tasks(TallyTest::nothing), 2, 0, 1);

        tally.await(1);
        assertThat(tally.miscounted()).isZero();
    }

    @Test
    void miscounted_oneLostAndOneTwice_areBothCountedWhenChecked() {
        Tally tally = Tally.checked(3);
        run(tally.tasks(TallyTest::nothing), 0, 0, 1);

        assertThat(tally.miscounted()).isEqualTo(2);
    }

    @Test
    void miscounted_oneTwice_isCountedWithoutCheck() {
        Tally tally = Tally.counted(3);
        run(tally.tasks(TallyTest::nothing), 0, 1, 2, 2);

        assertThat(tally.miscounted()).isEqualTo(1);
    }

    @Test
    void tasks_withoutCheck_areOneObject() {
        IntFunction<Runnable> tasks = Tally.counted(2).tasks(TallyTest::nothing);

        assertThat(tasks.apply(0)).isSameAs(tasks.apply(1));
    }

    @Test
    void plainThreads_unevenShares_runEachIndexOnce() throws InterruptedException {
        AtomicIntegerArray runs = new AtomicIntegerArray(10);
        try (PlainThreads threads = new PlainThreads(3)) {
            threads.run(10, runs::getAndIncrement);
            threads.run(7, runs::getAndIncrement);
        }

        assertThat(runs).hasToString("[2, 2, 2, 2, 2, 2, 2, 1, 1, 1]");
    }

    private static void run(IntFunction<Runnable> tasks, int... indexes) {
        for (int index : indexes) {
            tasks.apply(index).run();
        }
    }

    private static void nothing() {}
}
