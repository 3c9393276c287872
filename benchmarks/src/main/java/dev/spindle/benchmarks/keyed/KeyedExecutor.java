// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

/** What all contenders but the limit have in common: a task is submitted under the index of its key. */
interface KeyedExecutor extends Sink {
    void execute(int key, Runnable task);

    @Override
    default void process(Workload workload) {
        int size = workload.size();
        for (int event = 0; event < size; event++) {
            execute(workload.key(event), workload.task(event));
        }
    }
}
