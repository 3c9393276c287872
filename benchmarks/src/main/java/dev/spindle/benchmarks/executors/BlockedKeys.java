// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import static dev.spindle.benchmarks.compare.Contender.ours;
import static dev.spindle.benchmarks.compare.Contender.peer;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.compare.Waits;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Measures the time from the first submit to the last end of tasks that each sleep for 100 ms, {@value #TASKS} under
 * each of thousands of keys, and counts the tasks that run after a later task of their key. In cold cells the first
 * pass of a fork is measured, since servers meet such a load cold.
 */
final class BlockedKeys {
    private static final Contender VIRTUAL =
            ours("spindle-virtual", "Spindle, virtual auxiliaries").since(25);
    private static final Contender ANNOUNCED = ours("spindle-announced", "Spindle, virtual auxiliaries, callBlocking")
            .since(25);
    private static final Contender LOCKS = peer("virtual-locks", "a virtual thread per task, a fair lock per key")
            .since(25);
    private static final Contender UNFAIR = peer("virtual-unfair", "a virtual thread per task, an unfair lock per key")
            .since(25);
    private static final Figure ALL = Figure.less("all_ms", "all tasks, ms");
    private static final Figure OVERTAKEN =
            new Figure("overtaken", "tasks after a later one of their key", false, Figure.Summary.SUM);
    private static final int TASKS = 5;
    private static final int SLEEP_MILLIS = 100;

    private BlockedKeys() {}

    /** Submits a task under a key. */
    private interface Keys {
        void execute(int key, Runnable task);
    }

    static Cell cold(int keys) {
        String title = String.format("%,d keys, 5 tasks each that sleep for 100 ms", keys);
        return enter(
                new Cell("keys-" + keys, title, Effort.millis(0, 0, 1_000), ALL, OVERTAKEN).group("blocked"), keys);
    }

    static Cell warm(int keys) {
        String title = String.format("%,d keys, 5 tasks each that sleep for 100 ms, warm", keys);
        Effort effort = Effort.millis(3_000, 5_000, 1_000).atMost(3);
        return enter(new Cell("keys-" + keys + "-warm", title, effort, ALL, OVERTAKEN).group("blocked-warm"), keys);
    }

    private static Cell enter(Cell cell, int keys) {
        return cell.enter(VIRTUAL, scale -> spindle(scale.of(keys, 100), false))
                .enter(ANNOUNCED, scale -> spindle(scale.of(keys, 100), true))
                .enter(LOCKS, scale -> locks(scale.of(keys, 100), true))
                .enter(UNFAIR, scale -> locks(scale.of(keys, 100), false));
    }

    private static Subject spindle(int keys, boolean announced) {
        Spindle spindle =
                Spindle.builder().maxThreads(keys + 10).virtualThreads(true).build();
        Keyed<Integer> keyed = spindle.keyed("keys");
        return subject(keys, announced, keyed::execute, spindle::close);
    }

    private static Subject locks(int keys, boolean fair) {
        ExecutorService threads = Pools.virtualThreads();
        List<ReentrantLock> locks =
                Stream.generate(() -> new ReentrantLock(fair)).limit(keys).toList();
        return subject(
                keys,
                false,
                (key, task) -> threads.execute(() -> {
                    ReentrantLock lock = locks.get(key);
                    lock.lock();
                    try {
                        task.run();
                    } finally {
                        lock.unlock();
                    }
                }),
                () -> Pools.close(threads));
    }

    private static Subject subject(int keys, boolean announced, Keys executor, Runnable ending) {
        return Subject.of(
                recorder -> {
                    CountDownLatch left = new CountDownLatch(TASKS * keys);
                    AtomicIntegerArray latest = new AtomicIntegerArray(keys); // the last task that ran of each key
                    AtomicInteger overtaken = new AtomicInteger();
                    recorder.begin();
                    for (int i = 0; i < TASKS * keys; i++) {
                        int number = i;
                        Runnable wait = () -> {
                            if (latest.getAndSet(number % keys, number) > number) {
                                overtaken.incrementAndGet();
                            }
                            Waits.sleepMillis(SLEEP_MILLIS);
                            left.countDown();
                        };
                        executor.execute(i % keys, announced ? () -> announce(wait) : wait);
                    }
                    Waits.await(left, "not all tasks had run");
                    recorder.value(ALL, recorder.end((long) TASKS * keys) / 1e6);
                    recorder.value(OVERTAKEN, overtaken.get());
                },
                ending);
    }

    private static void announce(Runnable wait) {
        Spindle.callBlocking(() -> {
            wait.run();
            return null;
        });
    }
}
