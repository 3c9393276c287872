// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.jspecify.annotations.Nullable;

/** A thread that is made by the library, and refers to its worker. */
public class WorkerThread extends Thread {
    @Nullable
    WorkerContext worker; // read and written only by this thread

    /** Creates a thread that inherits no thread-locals from its creator. */
    public WorkerThread(@Nullable ThreadGroup group, @Nullable Runnable body, String name) {
        super(group, body, name, 0, false);
    }
}
