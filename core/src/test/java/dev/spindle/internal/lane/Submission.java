// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

/** A coalescing submission that notes its outcome. */
final class Submission implements CoalescingSubmission {
    private final Runnable task;
    private volatile long count;
    boolean superseded;
    boolean withdrawn;

    Submission(Runnable task) {
        this.task = task;
    }

    @Override
    public void setCount(long replaced) {
        count = replaced;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public void run() {
        task.run();
    }

    @Override
    public void superseded() {
        superseded = true;
    }

    @Override
    public void withdrawn() {
        withdrawn = true;
    }

    @Override
    public Runnable userTask() {
        return task;
    }
}
