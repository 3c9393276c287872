// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.forks.Interruptions;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

/** Executors of the JDK, and how they end. */
final class JdkPeers {
    private JdkPeers() {}

    /** One thread and one queue per key: what the seed replaces. */
    static KeyedExecutor threadPerKey(int keys) {
        ExecutorService[] executors = new ExecutorService[keys];
        for (int key = 0; key < keys; key++) {
            executors[key] = Executors.newSingleThreadExecutor();
        }
        return new KeyedExecutor() {
            @Override
            public void execute(int key, Runnable task) {
                executors[key].execute(task);
            }

            @Override
            public void close() {
                for (ExecutorService executor : executors) {
                    executor.shutdown();
                }
                for (ExecutorService executor : executors) {
                    JdkPeers.close(executor);
                }
            }
        };
    }

    /** A pool that takes its tasks in the order of their submission, under the peers that bring none of their own. */
    static ForkJoinPool asyncForkJoinPool(int processors) {
        return new ForkJoinPool(processors, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, true);
    }

    static void close(ExecutorService executor) {
        executor.shutdown();
        Interruptions.ignoring(() -> executor.awaitTermination(10, TimeUnit.SECONDS));
    }
}
