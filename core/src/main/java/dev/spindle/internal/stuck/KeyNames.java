// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.stuck;

import dev.spindle.internal.LaneName;
import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.WorkerContext.TaskObserver;
import dev.spindle.internal.executor.LaneOwner;
import dev.spindle.internal.report.Printable;
import org.jspecify.annotations.Nullable;

/** Gives a worker's thread, while it runs a task of a lane, a name with the key, for spindles that ask for this. */
public final class KeyNames implements TaskObserver {
    /** The maximum number of characters of a key in the name of a thread. Not measured. */
    private static final int MOST = 64;

    private final @Nullable TaskObserver recorder;

    private KeyNames(@Nullable TaskObserver recorder) {
        this.recorder = recorder;
    }

    /** Observes the tasks of all spindles from now on, since there is one observer in a process. */
    public static void install() {
        WorkerContext.surround(KeyNames::new);
    }

    @Override
    public Object waiting(String spindle, Object entry) {
        return recorder == null ? entry : recorder.waiting(spindle, entry);
    }

    private void go(WorkerContext worker, @Nullable Object key, Runnable task) {
        if (recorder == null) {
            task.run();
        } else {
            recorder.run(worker, key, task);
        }
    }

    @Override
    public void run(WorkerContext worker, @Nullable Object key, Runnable task) {
        boolean names = key instanceof LaneName
                && worker.scheduler() instanceof Pool pool
                && pool.host().isKeyInThreadName();
        if (!names || !(key instanceof LaneName lane)) {
            go(worker, key, task);
            return;
        }
        Thread thread = Thread.currentThread();
        String before = thread.getName();
        String named = before + " " + Printable.of(() -> LaneOwner.describe(lane), MOST);
        thread.setName(named);
        try {
            go(worker, key, task);
        } finally {
            if (thread.getName().equals(named)) { // else the task has given its thread another name
                thread.setName(before);
            }
        }
    }
}
