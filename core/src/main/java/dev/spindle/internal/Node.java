// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** One accepted task in a lane's mailbox. A node is pushed once and never used again. */
public class Node {
    /*
     * field  writer                               readers                  mode
     * older  the pusher, before publication       owner, walkers           plain, published by the CAS of the lane's word
     * newer  the turn's owner                     owner, walkers           plain, published by the release of the lane's list
     * task   constructor; whoever takes the task  owner, cancellers        getAndSet(null) decides who has the task
     *
     * `older` is never changed after publication, save that walkers cut out withdrawn nodes (LaneCore.dropOldest): it then
     * skips them, and may come to point to one again, but never passes over a node that is pending,
     * so that a chain can be walked by anybody at any time.
     */
    static final VarHandle TASK;

    static {
        try {
            TASK = MethodHandles.lookup().findVarHandle(Node.class, "task", Runnable.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Nullable
    Node older;

    @Nullable
    Node newer;

    private @Nullable Runnable task;

    /** Creates a node for {@code task}; null only for the nodes that keep their task elsewhere. */
    public Node(@Nullable Runnable task) {
        this.task = task;
    }

    /**
     * Takes the task to run it; null when it was withdrawn. For the owner of the turn alone.
     *
     * @param reachable whether others may reach this node and withdraw its task at the same time
     */
    @Nullable
    Runnable take(boolean reachable) {
        if (reachable) {
            return (Runnable) TASK.getAndSet(this, null);
        }
        Runnable r = task;
        task = null;
        return r;
    }

    /** Takes the task away so that it does not run; null when it has been taken, or is none that can be withdrawn. */
    public @Nullable Runnable withdraw() {
        return (Runnable) TASK.getAndSet(this, null);
    }

    /** Returns whether the task was neither taken nor withdrawn yet. */
    boolean isPending() {
        return TASK.getOpaque(this) != null;
    }

    /** Takes a node out that holds no task any more, since it was withdrawn; false when it holds one. For the owner. */
    boolean passWithdrawn() {
        return !isPending();
    }

    /** Returns whether this task counts against a bound and may be dropped to make room. */
    boolean isBounded() {
        return false;
    }
}
