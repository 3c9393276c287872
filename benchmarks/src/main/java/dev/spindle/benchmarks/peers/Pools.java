// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.peers;

import dev.spindle.benchmarks.forks.Interruptions;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

/** Pools of the JDK under the peers that bring none of their own, and how they end. */
public final class Pools {
    private Pools() {}

    /** A pool that takes its tasks in the order of their submission. */
    public static ForkJoinPool asyncForkJoin(int threads) {
        return new ForkJoinPool(threads, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, true);
    }

    public static void close(ExecutorService executor) {
        executor.shutdown();
        Interruptions.ignoring(() -> executor.awaitTermination(10, TimeUnit.SECONDS));
    }
}
