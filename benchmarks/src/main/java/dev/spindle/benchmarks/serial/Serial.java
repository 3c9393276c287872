// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.serial;

import java.util.List;
import java.util.concurrent.Executor;

/**
 * Serial executors of one contender.
 *
 * @param executors each runs its tasks one after the other
 * @param ending ends their threads
 */
record Serial(List<Executor> executors, Runnable ending) implements AutoCloseable {
    Executor first() {
        return executors.get(0);
    }

    @Override
    public void close() {
        ending.run();
    }
}
