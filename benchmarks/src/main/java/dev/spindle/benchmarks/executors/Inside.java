// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import dev.spindle.benchmarks.compare.Figure;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;

/** Loads in which tasks submit all other tasks. */
public final class Inside {
    /**
     * The largest age of a task. The age is the number of tasks that started between the submission and the start of
     * the task.
     */
    static final Figure OLDEST = Figure.less("oldest_starts", "starts while the oldest task waited");

    private Inside() {}

    private interface Beginning {
        void begin(Executor executor, Runnable burn, Tally tally);
    }

    /** @param age true to measure the largest age instead of the rate: measuring the age slows the tasks down */
    private static Load load(
            int threads, int outstanding, double micros, boolean age, ToIntFunction<Stage> count, Beginning beginning) {
        if (!age) {
            return new Load(threads, outstanding, stage -> {
                Tally tally = stage.tally(count.applyAsInt(stage));
                Runnable burn = Burn.task(micros);
                stage.rate(tally, burn, micros, tasks -> beginning.begin(stage.executor(), burn, tally));
            });
        }
        return new Load(threads, outstanding, List.of(OLDEST), stage -> {
                    Tally tally = stage.tally(count.applyAsInt(stage));
                    AgeWatch watch = new AgeWatch();
                    stage.recorder().begin();
                    beginning.begin(watch.over(stage.executor()), Burn.task(micros), tally);
                    tally.await(micros);
                    stage.recorder().end(tally.expected());
                    stage.recorder().value(OLDEST, (double) watch.oldest());
                })
                .withLimit(0);
    }

    /** Tasks that resubmit themselves at the end of their work. */
    static Load chains(int threads, int chains, double micros, boolean age) {
        ToIntFunction<Stage> count = stage -> chains * stage.scaled(4_000, 10);
        return load(threads, chains, micros, age, count, (executor, burn, tally) -> {
            int steps = tally.expected() / chains;
            for (int chain = 0; chain < chains; chain++) {
                int first = chain * steps;
                int[] step = new int[1]; // plain, so that missing visibility between two steps is detected
                Runnable[] task = new Runnable[1];
                task[0] = () -> {
                    burn.run();
                    int ran = step[0]++;
                    if (ran + 1 < steps) {
                        executor.execute(task[0]);
                    }
                    tally.ran(first + ran);
                };
                executor.execute(task[0]);
            }
        });
    }

    /** A task submits {@code width} tasks, and the last of these to finish resubmits the first task. */
    static Load fanOut(int threads, int families, int width, double micros, boolean age) {
        ToIntFunction<Stage> count = stage -> families * stage.scaled(250, 2) * width;
        return load(threads, families * (width + 1), micros, age, count, (executor, burn, tally) -> {
            int share = tally.expected() / families;
            for (int family = 0; family < families; family++) {
                int[] next = {family * share};
                int end = (family + 1) * share;
                AtomicInteger left = new AtomicInteger();
                Runnable[] parent = new Runnable[1];
                parent[0] = () -> {
                    left.set(width);
                    int to = next[0] + width;
                    for (; next[0] < to; next[0]++) {
                        int index = next[0];
                        executor.execute(() -> {
                            burn.run();
                            if (left.decrementAndGet() == 0 && to < end) {
                                executor.execute(parent[0]);
                            }
                            tally.ran(index);
                        });
                    }
                };
                executor.execute(parent[0]);
            }
        });
    }

    /** A binary tree of empty tasks, each of which submits its two children. */
    public static Load tree(int threads, int tasks) {
        return new Load(threads, tasks, stage -> {
            Tally tally = stage.tally(stage.scaled(tasks, 1_000));
            stage.rate(tally, () -> {}, 0, task -> stage.executor().execute(new Node(stage.executor(), tally, 0)));
        });
    }

    /** A task of the tree, numbered as in a binary heap. */
    private record Node(Executor executor, Tally tally, int number) implements Runnable {
        @Override
        public void run() {
            for (int child = 2 * number + 1; child <= 2 * number + 2 && child < tally.expected(); child++) {
                executor.execute(new Node(executor, tally, child));
            }
            tally.ran(number);
        }
    }

    /**
     * Measures the deviation of an executor from first-in-first-out order. In a strict queue, the age of a task is at
     * most the number of tasks before it plus the number of preempted tasks. An executor that prefers new tasks
     * increases the age of old tasks.
     */
    static final class AgeWatch {
        private final AtomicLong started = new AtomicLong();
        private final AtomicLong oldest = new AtomicLong();

        Executor over(Executor executor) {
            return task -> {
                long before = started.get();
                executor.execute(() -> {
                    long age = started.getAndIncrement() - before;
                    if (age > oldest.get()) {
                        oldest.accumulateAndGet(age, Math::max);
                    }
                    task.run();
                });
            };
        }

        long oldest() {
            return oldest.get();
        }
    }
}
