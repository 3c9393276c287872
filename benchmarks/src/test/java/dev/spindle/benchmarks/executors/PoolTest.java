// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.compare.Producers;
import dev.spindle.benchmarks.executors.Waiting.LateServer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** The ledger and the watch of the pool, which notice a contender that breaks a promise. */
class PoolTest {

    private final Deque<Runnable> queue = new ArrayDeque<>();

    @Test
    void tally_tasksLostOrRunTwice_areCounted() {
        assertThat(miscounted(Tally.checked(3), 2, 0, 1)).isZero();
        assertThat(miscounted(Tally.checked(3), 0, 0, 1)).isEqualTo(2);
        assertThat(miscounted(Tally.counted(3), 0, 1, 2, 2)).isEqualTo(1);
    }

    private static long miscounted(Tally tally, int... indexes) {
        IntFunction<Runnable> tasks = tally.tasks(() -> {});
        for (int index : indexes) {
            tasks.apply(index).run();
        }
        return tally.miscounted();
    }

    @Test
    void limit_unevenShares_runsEachIndexOnce() throws InterruptedException {
        AtomicIntegerArray runs = new AtomicIntegerArray(10);
        try (Producers threads = new Producers(3)) {
            threads.runAll(10, runs::getAndIncrement);
            threads.runAll(7, runs::getAndIncrement);
        }

        assertThat(runs).hasToString("[2, 2, 2, 2, 2, 2, 2, 1, 1, 1]");
    }

    @Test
    void age_isTheLengthOfAQueueOrAllThatCameToAStack() {
        assertThat(oldestOfThreeChains(queue::addLast)).isEqualTo(2);
        assertThat(oldestOfThreeChains(queue::addFirst)).isEqualTo(20);
    }

    /** Runs three tasks that submit themselves again, nine more times each. */
    private long oldestOfThreeChains(Executor order) {
        Inside.AgeWatch watch = new Inside.AgeWatch();
        Executor watched = watch.over(order);
        for (int chain = 0; chain < 3; chain++) {
            int[] left = {9};
            Runnable[] task = new Runnable[1];
            task[0] = () -> {
                if (left[0]-- > 0) {
                    watched.execute(task[0]);
                }
            };
            watched.execute(task[0]);
        }
        for (Runnable next = queue.pollFirst(); next != null; next = queue.pollFirst()) {
            next.run();
        }
        return watch.oldest();
    }

    @Test
    void server_call_returnsNotBeforeTheDelay() {
        try (LateServer server = new LateServer(2, 20)) {
            long start = System.nanoTime();
            server.call();
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
        }
    }
}
