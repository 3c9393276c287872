// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

/** A coalescing submission that counts its ends in plain fields. */
public final class Entry implements CoalescingSubmission {
    private final Runnable task;
    private volatile long count;
    public int ran;
    public int superseded;
    public int withdrawn;

    public Entry(Runnable task) {
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
        ran++;
        task.run();
    }

    @Override
    public void superseded() {
        superseded++;
    }

    @Override
    public void withdrawn() {
        withdrawn++;
    }

    @Override
    public Runnable userTask() {
        return task;
    }

    /** Returns the number of its ends, which must be 1. */
    public int ends() {
        return ran + superseded + withdrawn;
    }
}
