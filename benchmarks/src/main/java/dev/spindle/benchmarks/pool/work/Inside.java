// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.pool.stage.Figures;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Tally;
import java.util.concurrent.Executor;

/**
 * A pass of work that is submitted inside the pool, but for its beginning. The limit does the same tasks with none
 * handed over.
 *
 * @param count tasks in all
 * @param micros how long each computes
 */
record Inside(Stage stage, int count, double micros) {
    /** Hands over the first tasks, which do {@code burn} and hand over the others. */
    interface Beginning {
        void begin(Executor executor, Runnable burn, Tally tally);
    }

    /** Finds the rate. */
    void rate(Beginning beginning) throws InterruptedException {
        Tally tally = stage.tally(count);
        Runnable burn = stage.burn(micros);
        Recorder recorder = stage.recorder();
        recorder.begin();
        if (stage.limit()) {
            stage.plain().run(count, index -> {
                burn.run();
                tally.ran(index);
            });
        } else {
            beginning.begin(stage.executor(), burn, tally);
            tally.await(micros);
        }
        recorder.value(Figures.RATE, count * 1e9 / recorder.end(count));
    }

    /** Finds how long tasks waited, which costs too much to find the rate as well. */
    void ages(Beginning beginning) throws InterruptedException {
        Tally tally = stage.tally(count);
        QueueWatch watch = new QueueWatch();
        stage.recorder().begin();
        beginning.begin(watch.over(stage.executor()), stage.burn(micros), tally);
        tally.await(micros);
        stage.recorder().end(count);
        watch.report(stage.recorder());
    }

    /** Finds the ages if {@code watched}, else the rate. */
    void measure(boolean watched, Beginning beginning) throws InterruptedException {
        if (watched) {
            ages(beginning);
        } else {
            rate(beginning);
        }
    }
}
