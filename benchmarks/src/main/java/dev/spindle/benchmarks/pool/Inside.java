// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.compare.Figure;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

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

    private static Load rate(
            int threads, int outstanding, double micros, Function<Stage, Integer> count, Beginning beginning) {
        return new Load(threads, outstanding, stage -> {
            Tally tally = stage.tally(count.apply(stage));
            Runnable burn = Burn.task(micros);
            stage.rate(tally, burn, micros, tasks -> beginning.begin(stage.executor(), burn, tally));
        });
    }

    /** Measures the largest age but not the throughput: measuring the age slows the tasks down. */
    private static Load age(
            int threads, int outstanding, double micros, Function<Stage, Integer> count, Beginning beginning) {
        return new Load(threads, outstanding, List.of(OLDEST), stage -> {
                    Tally tally = stage.tally(count.apply(stage));
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
        Function<Stage, Integer> count = stage -> chains * stage.scaled(4_000, 10);
        Beginning beginning = (executor, burn, tally) -> {
            int steps = tally.expected() / chains;
            for (int chain = 0; chain < chains; chain++) {
                executor.execute(new Chain(executor, burn, tally, chain * steps, steps));
            }
        };
        return age ? age(threads, chains, micros, count, beginning) : rate(threads, chains, micros, count, beginning);
    }

    /** Counts its steps in a plain field, so that missing visibility between two steps is detected. */
    private static final class Chain implements Runnable {
        private final Executor executor;
        private final Runnable burn;
        private final Tally tally;
        private final int first;
        private final int steps;
        private int step;

        Chain(Executor executor, Runnable burn, Tally tally, int first, int steps) {
            this.executor = executor;
            this.burn = burn;
            this.tally = tally;
            this.first = first;
            this.steps = steps;
        }

        @Override
        public void run() {
            burn.run();
            int ran = step++;
            if (ran + 1 < steps) {
                executor.execute(this);
            }
            tally.ran(first + ran);
        }
    }

    /** A task submits {@code width} tasks, and the last of these to finish resubmits the first task. */
    static Load fanOut(int threads, int families, int width, double micros, boolean age) {
        Function<Stage, Integer> count = stage -> families * stage.scaled(250, 2) * width;
        Beginning beginning = (executor, burn, tally) -> {
            int share = tally.expected() / families;
            for (int family = 0; family < families; family++) {
                int first = family * share;
                executor.execute(new Family(executor, burn, tally, first, first + share, width));
            }
        };
        int outstanding = families * (width + 1);
        return age
                ? age(threads, outstanding, micros, count, beginning)
                : rate(threads, outstanding, micros, count, beginning);
    }

    private static final class Family implements Runnable {
        private final Executor executor;
        private final Runnable burn;
        private final Tally tally;
        private final int end;
        private final int width;
        private final AtomicInteger left = new AtomicInteger();
        private int next;

        Family(Executor executor, Runnable burn, Tally tally, int first, int end, int width) {
            this.executor = executor;
            this.burn = burn;
            this.tally = tally;
            this.end = end;
            this.width = width;
            next = first;
        }

        @Override
        public void run() {
            left.set(width);
            int base = next;
            next += width;
            boolean last = next == end;
            for (int i = 0; i < width; i++) {
                int index = base + i;
                executor.execute(() -> child(index, last));
            }
        }

        private void child(int index, boolean last) {
            burn.run();
            if (left.decrementAndGet() == 0 && !last) {
                executor.execute(this);
            }
            tally.ran(index);
        }
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
