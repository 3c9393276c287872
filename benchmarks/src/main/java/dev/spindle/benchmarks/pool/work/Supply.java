// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.benchmarks.forks.StalledException;
import dev.spindle.benchmarks.pool.stage.Stage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;

/** Keeps an executor supplied with {@link #OUTSTANDING} tasks for a time, and counts those that end. */
final class Supply {
    static final int OUTSTANDING = 64;

    private static final int PATIENCE_SECONDS = 30;

    private final Stage stage;
    private final Semaphore places = new Semaphore(OUTSTANDING);
    private final LongAdder ended = new LongAdder();

    Supply(Stage stage) {
        this.stage = stage;
    }

    /** Returns a task of this supply that does {@code body}. */
    Runnable counted(Runnable body) {
        return () -> {
            body.run();
            ended.increment();
            places.release();
        };
    }

    /** Submits tasks of this supply, by their index, for so long; less in a short run, but not below {@code least}. */
    void submitFor(int millis, int least, IntFunction<Runnable> tasks) throws InterruptedException {
        long end = System.nanoTime() + stage.scaled(millis, least) * 1_000_000L;
        for (int index = 0; System.nanoTime() - end < 0; index++) {
            if (!places.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new StalledException("no task ended for " + PATIENCE_SECONDS + " s");
            }
            stage.executor().execute(tasks.apply(index));
        }
    }

    long ended() {
        return ended.sum();
    }

    /** Waits for the last tasks. */
    void awaitLast() throws InterruptedException {
        if (!places.tryAcquire(OUTSTANDING, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new StalledException(
                    "some of the last " + OUTSTANDING + " tasks have not ended after " + PATIENCE_SECONDS + " s");
        }
    }
}
