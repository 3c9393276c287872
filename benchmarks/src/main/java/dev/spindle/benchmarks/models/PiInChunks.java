// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import dev.spindle.benchmarks.peers.Pools;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The limit: each thread adds up its part, and nothing is handed over but the parts. */
final class PiInChunks implements Pi.Calculator {
    private final Pi.Series series;
    private final ExecutorService threads;
    private final int count;

    PiInChunks(Pi.Series series, int count) {
        this.series = series;
        this.count = count;
        threads = Executors.newFixedThreadPool(count);
    }

    @Override
    public Pi.Result sum(int slices) throws InterruptedException {
        List<Callable<Double>> chunks = new ArrayList<>();
        for (int chunk = 0; chunk < count; chunk++) {
            int from = (int) ((long) slices * chunk / count);
            int to = (int) ((long) slices * (chunk + 1) / count);
            chunks.add(() -> series.slices(from, to));
        }
        double sum = 0;
        try {
            for (Future<Double> part : threads.invokeAll(chunks)) {
                sum += part.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a chunk failed", e);
        }
        return new Pi.Result(sum, slices);
    }

    @Override
    public void close() {
        Pools.close(threads);
    }
}
