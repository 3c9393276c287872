// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.peers;

import java.lang.reflect.Method;
import java.util.function.Supplier;

/** Starts a thread for a task. */
public interface Starter {
    void start(Runnable task);

    /** Creates a starter lazily, because older JDKs have no virtual threads. */
    interface Maker extends Supplier<Starter> {}

    static Starter platform() {
        return task -> daemon(task).start();
    }

    static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "member");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Returns a starter of virtual threads. The method is called by reflection, because the bytecode is for a JDK
     * without virtual threads.
     */
    static Starter virtual() {
        try {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            return task -> {
                try {
                    Object unused = start.invoke(null, task);
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException("cannot start a virtual thread", e);
                }
            };
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("no virtual threads on Java " + Runtime.version(), e);
        }
    }
}
