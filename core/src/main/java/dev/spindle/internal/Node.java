// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** One accepted task in a lane's mailbox. A node is pushed once and never used again. */
public class Node {
    /*
     * field  writer                                   readers          mode
     * older  the pusher, before publication; walkers  owner, walkers   plain, published by the CAS of the lane's word
     * depth  the pusher, before publication           owner            as `older`
     * task   constructor; whoever withdraws the task  owner, walkers   getAndSet(null) decides who has the task
     *
     * Walkers cut out nodes that hold no task any more (LaneCore.dropOldest, takeOldest): `older` then skips them, and may
     * come to point to one again, but never passes over a node with a task, so that a chain can be walked by anybody at
     * any time.
     */
    private static final VarHandle TASK;

    static {
        try {
            TASK = MethodHandles.lookup().findVarHandle(Node.class, "task", Runnable.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Nullable
    Node older;

    int depth; // of the chain from here on down, nodes that were cut out included

    private @Nullable Runnable task;

    /** Creates a node for {@code task}; null only for the nodes that keep their task elsewhere. */
    public Node(@Nullable Runnable task) {
        this.task = task;
    }

    /**
     * Returns what stands for this node in a batch: the task itself, null when it was withdrawn, or a {@link LateNode}.
     * For the owner of a chain that nobody else can reach; nothing is written, which would take the node's line from the
     * producers.
     */
    @Nullable
    Runnable content() {
        return task;
    }

    /** Takes the task away so that it does not run; null when it has been taken, or is none that can be withdrawn. */
    public @Nullable Runnable withdraw() {
        return (Runnable) TASK.getAndSet(this, null);
    }

    /** Returns whether the task was neither taken nor withdrawn yet. */
    boolean isPending() {
        return TASK.getOpaque(this) != null;
    }

    /** Returns whether this task counts against a bound and may be dropped to make room. */
    boolean isBounded() {
        return false;
    }

    /** Withdraws the oldest task of a chain that counts against a bound; null when there is none. By anybody. */
    static @Nullable Runnable dropOldest(Node newest) {
        for (; ; ) {
            Node oldest = null;
            Node previous = null;
            for (Node n = newest; n != null; n = n.older) {
                boolean pending = n.isBounded() && n.isPending();
                if (n.isBounded() && !pending && previous != null) {
                    previous.older = n.older; // cut out, or a stuck lane would fill with empty nodes
                    continue;
                }
                oldest = pending ? n : oldest;
                previous = n;
            }
            if (oldest == null) {
                return null;
            }
            Runnable task = oldest.withdraw();
            if (task != null) {
                return task;
            }
        }
    }
}
