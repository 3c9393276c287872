// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A mailbox entry whose task is determined only when the lane reaches the entry. Until then the task may change or be
 * withdrawn.
 */
public abstract class DeferredTask implements Runnable {
    DeferredTask() {}

    /** Returns {@code task} as a deferred task, or null if {@code task} is null or an ordinary task. */
    static @Nullable DeferredTask of(@Nullable Runnable task) {
        return task instanceof DeferredTask late ? late : null;
    }

    /**
     * Takes and returns the task, or returns null if the task was withdrawn. Called by the thread that has taken this
     * entry.
     */
    abstract @Nullable Runnable take();

    /** Takes and returns the tasks of entries that have left a mailbox. Skips barriers and withdrawn tasks. */
    static List<Runnable> takeAll(List<Runnable> tasks) {
        List<Runnable> taken = new ArrayList<>();
        for (Runnable one : tasks) {
            DeferredTask late = of(one);
            Runnable task = late == null ? one : late.isBarrier() ? null : late.take();
            if (task != null) {
                taken.add(task);
            }
        }
        return taken;
    }

    /**
     * Withdraws and returns the task, which then does not run. Returns null if the task was taken or withdrawn, or for
     * a barrier.
     */
    public abstract @Nullable Runnable withdraw();

    /** Returns true if the task was neither taken nor withdrawn. Returns false for a barrier. */
    abstract boolean isPending();

    /**
     * Withdraws and returns a task that holds permits, and leaves the permits to the caller. Returns null if the task
     * was taken or withdrawn, or holds no permits.
     */
    @Nullable
    Runnable drop() {
        return null;
    }

    /** Returns true for a {@link LaneBarrier}. */
    boolean isBarrier() {
        return false;
    }

    /**
     * Returns true if a pause does not hold back this entry: the entry is a barrier, or its task was taken or
     * withdrawn. Called by the owner of the paused lane.
     */
    boolean letsPass() {
        return !isPending();
    }

    @Override
    public final void run() {
        throw new AssertionError("only stands for a task: take() returns it");
    }
}
