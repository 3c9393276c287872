// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.jspecify.annotations.Nullable;

/** Runs the tasks of all workers in their place, to measure them. Throws what the task throws, and nothing else. */
public interface TaskObserver {
    /** Runs {@code task}; {@code key} is null for a task of no lane. */
    void run(WorkerContext worker, @Nullable Object key, Runnable task);
}
