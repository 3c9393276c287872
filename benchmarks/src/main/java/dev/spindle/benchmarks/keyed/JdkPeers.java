// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.peers.Pools;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Executors of the JDK. */
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
                    Pools.close(executor);
                }
            }
        };
    }
}
