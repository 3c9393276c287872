// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/** A piece of the library's own work that a worker does between tasks; not counted as a task, never throws. */
public final class Chore {
    private final Runnable work;

    /** Creates an entry that does {@code work}. */
    public Chore(Runnable work) {
        this.work = work;
    }

    void run() {
        work.run();
    }
}
