// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.jspecify.annotations.Nullable;

/** Measures how long the entries of all pools wait, and how long tasks run. */
public interface TaskObserver {
    /** Returns what waits in a queue for {@code entry}, which is ready: that, or a {@link Waiting}. Throws nothing. */
    Object waiting(String spindle, Object entry);

    /**
     * Runs {@code task}; {@code key} is null for a task of no lane. Throws what the task throws, and nothing else.
     */
    void run(WorkerContext worker, @Nullable Object key, Runnable task);

    /** An entry in a queue that stands for another one. */
    interface Waiting {
        Object entry();

        /** Returns the entry for which {@code queued} waits. */
        static Object unwrap(Object queued) {
            return queued instanceof Waiting w ? w.entry() : queued;
        }
    }
}
