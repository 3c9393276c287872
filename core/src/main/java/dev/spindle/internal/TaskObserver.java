// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.jspecify.annotations.Nullable;

/** Measures how long the entries of all pools wait, and how long tasks run. */
public interface TaskObserver {
    /** Returns the object to queue for {@code entry}, which is ready: the entry, or a {@link Waiting}. Never throws. */
    Object waiting(String spindle, Object entry);

    /** Runs {@code task}; {@code key} is null for a task without a lane. Throws only what the task throws. */
    void run(WorkerContext worker, @Nullable Object key, Runnable task);

    /** A queued object that stands for an entry. */
    interface Waiting {
        Object entry();

        /** Returns the entry that {@code queued} is or stands for. */
        static Object unwrap(Object queued) {
            return queued instanceof Waiting w ? w.entry() : queued;
        }
    }
}
