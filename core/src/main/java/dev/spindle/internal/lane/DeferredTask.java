// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A mailbox entry whose task is determined only when the lane reaches it: until then it may change, or be withdrawn.
 */
public abstract class DeferredTask implements Runnable {
    DeferredTask() {}

    /** Returns {@code task} as a deferred one, or null if it is one to run. */
    static @Nullable DeferredTask of(@Nullable Runnable task) {
        return task instanceof DeferredTask late ? late : null;
    }

    /** Takes the task to run it, or null when it was withdrawn. For whoever has this one's place in the mailbox. */
    abstract @Nullable Runnable take();

    /** Takes what has left a mailbox, to withdraw it: leaves out barriers, and what was withdrawn before. */
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

    /** Takes the task away so that it does not run; null when it has been taken, or is none that can be withdrawn. */
    public abstract @Nullable Runnable withdraw();

    /** Returns whether a task that keeps the lane is here: not taken, not withdrawn, and not mere news. */
    abstract boolean isPending();

    /**
     * Withdraws a task that counts against bounds, whose places the caller then holds; null when it has been taken, or
     * does not count.
     */
    @Nullable
    Runnable drop() {
        return null;
    }

    /** Returns whether this only does something of the library's own when the lane reaches it. */
    boolean isBarrier() {
        return false;
    }

    /**
     * Ends this one if it holds no task that a pause keeps back; false when it holds one. For the owner of the lane.
     */
    boolean letsPass() {
        return !isPending();
    }

    @Override
    public final void run() {
        throw new AssertionError("only stands for a task: take() gives it");
    }
}
