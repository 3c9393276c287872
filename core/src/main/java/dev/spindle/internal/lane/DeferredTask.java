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

    /** Returns {@code task} as a deferred task, or null if it is an ordinary task. */
    static @Nullable DeferredTask of(@Nullable Runnable task) {
        return task instanceof DeferredTask late ? late : null;
    }

    /** Takes the task to run it; null if it was withdrawn. For the thread that has taken this entry. */
    abstract @Nullable Runnable take();

    /** Takes the tasks of entries that have left a mailbox, except barriers and withdrawn tasks. */
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

    /** Withdraws and returns the task, which then does not run; null if it was taken, or cannot be withdrawn. */
    public abstract @Nullable Runnable withdraw();

    /** Returns whether this holds a task that was neither taken nor withdrawn; false for a barrier. */
    abstract boolean isPending();

    /**
     * Withdraws a task that counts against bounds, and leaves its permits to the caller; null if the task was taken, or
     * does not count.
     */
    @Nullable
    Runnable drop() {
        return null;
    }

    /** Returns true if this entry does not run a user's task. */
    boolean isBarrier() {
        return false;
    }

    /** Passes this entry; false if it has a task that a pause holds back. For the lane's owner. */
    boolean letsPass() {
        return !isPending();
    }

    @Override
    public final void run() {
        throw new AssertionError("only stands for a task: take() returns it");
    }
}
