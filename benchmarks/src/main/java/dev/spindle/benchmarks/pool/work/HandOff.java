// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.forks.LatencyHistogram;
import dev.spindle.benchmarks.pool.stage.Figures;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Tally;
import dev.spindle.benchmarks.pool.stage.Workload;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;

/**
 * One client submits a task that does nothing and waits for it, again and again.
 *
 * @param gapMicros how long it computes between two of them
 */
public record HandOff(int threads, int gapMicros) implements Workload {
    private static final Duration PASS = Duration.ofMillis(400);
    /** About what a round trip takes, with the threads asleep on both sides. */
    private static final int TRIP_MICROS = 20;

    private static final int LEAST = 20;

    @Override
    public int outstanding() {
        return 1;
    }

    @Override
    public List<Figure> figures() {
        return List.of(Figures.ROUND_TRIP.median(), Figures.ROUND_TRIP.tail());
    }

    @Override
    public boolean hasLimit() {
        return false;
    }

    @Override
    public Effort effort() {
        return Workload.LATENCY;
    }

    @Override
    public void pass(Stage stage) throws InterruptedException {
        int trips = stage.scaled((int) (PASS.toNanos() / 1_000 / (gapMicros + TRIP_MICROS)), LEAST);
        Tally tally = stage.tally(trips);
        LatencyHistogram roundTrips = stage.recorder().latency(Figures.ROUND_TRIP);
        Runnable gap = gapMicros == 0 ? () -> {} : stage.burn(gapMicros);
        ExecutorService executor = stage.executor();
        stage.recorder().begin();
        for (int trip = 0; trip < trips; trip++) {
            int index = trip;
            gap.run();
            long start = System.nanoTime();
            try {
                executor.submit(() -> tally.ran(index)).get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("a task that cannot fail failed", e);
            }
            roundTrips.record(System.nanoTime() - start);
        }
        stage.recorder().end(trips);
    }
}
