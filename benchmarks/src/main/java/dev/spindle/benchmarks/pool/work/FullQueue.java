// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.benchmarks.forks.Interruptions;
import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.pool.stage.Recorder;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Tally;
import dev.spindle.benchmarks.pool.stage.Workload;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/**
 * Several producers at a queue that is always full: who is let in next, and at what cost? An executor without a bound of
 * its own that lets submitters wait gets a semaphore before it, as users write it.
 *
 * @param capacity how many tasks may wait
 */
public record FullQueue(int threads, int producers, int capacity, double micros) implements Workload {
    private static final int TASKS = 60_000;
    private static final int LEAST = 400;

    @Override
    public int outstanding() {
        return capacity + threads;
    }

    @Override
    public List<Figure> figures() {
        return List.of(Figure.RATE, Figure.SMALLEST_SHARE);
    }

    @Override
    public boolean hasLimit() {
        return false;
    }

    @Override
    public void pass(Stage stage) throws InterruptedException {
        int count = stage.scaled(TASKS, LEAST);
        Tally tally = stage.tally(count);
        Gate gate = stage.contender().waitsWhenFull() ? Gate.OPEN : new Gate(capacity);
        IntFunction<Runnable> task = tally.tasks(stage.burn(micros));
        Executor executor = stage.executor();
        AtomicInteger next = new AtomicInteger();
        int[] shares = new int[producers];
        Recorder recorder = stage.recorder();
        recorder.begin();
        Producers.run(producers, own -> {
            for (int index = next.getAndIncrement(); index < count; index = next.getAndIncrement()) {
                gate.enter();
                Runnable body = task.apply(index);
                executor.execute(
                        gate == Gate.OPEN
                                ? body
                                : () -> {
                                    gate.leave();
                                    body.run();
                                });
                shares[own]++;
            }
        });
        tally.await(micros);
        recorder.value(Figure.RATE, count * 1e9 / recorder.end(count));
        int smallest = count;
        for (int share : shares) {
            smallest = Math.min(smallest, share);
        }
        recorder.value(Figure.SMALLEST_SHARE, 100.0 * smallest * producers / count);
    }

    @Override
    public int capacity() {
        return capacity;
    }

    /** A place is taken before the submit, and given back when the task starts. */
    private static final class Gate {
        static final Gate OPEN = new Gate(0);

        private final Semaphore places;

        Gate(int places) {
            this.places = new Semaphore(places);
        }

        void enter() {
            if (this != OPEN) {
                Interruptions.ignoring(places::acquire);
            }
        }

        void leave() {
            places.release();
        }
    }
}
