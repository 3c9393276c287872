// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a lane that hold permits, oldest first, as found by one walk over the mailbox. Each drop takes the next
 * task, so one walk serves many drops, and a drop takes amortized constant time. The walk also removes the nodes that
 * earlier drops have emptied. Thread-safe.
 */
final class Droppable {
    private final @Nullable BoundedTask[] tasks;
    private final AtomicInteger next = new AtomicInteger();

    /**
     * Collects the tasks of a mailbox.
     *
     * @param taken the oldest node that the owner has taken; the nodes are linked by {@code newer}
     * @param newest the newest node that the owner has not taken; the nodes are linked by {@code older}
     */
    Droppable(@Nullable Node taken, @Nullable Node newest) {
        List<BoundedTask> found = new ArrayList<>();
        for (Node n = taken; n != null; n = n.newer) {
            n.addBounded(found);
        }
        List<Node> chain = new ArrayList<>();
        for (Node n = newest; n != null; n = n.older) {
            chain.add(n);
        }
        for (int i = chain.size() - 1; i >= 0; i--) {
            chain.get(i).addBounded(found);
        }
        Node.cutOutSpent(newest);
        tasks = found.toArray(new BoundedTask[0]);
    }

    /** Drops and returns the oldest remaining task, or returns null if no task remains. */
    @Nullable
    Runnable drop() {
        for (int i = next.get(); i < tasks.length; i = next.get()) {
            BoundedTask task = next.compareAndSet(i, i + 1) ? tasks[i] : null;
            if (task != null) {
                tasks[i] = null;
                Runnable dropped = task.drop();
                if (dropped != null) {
                    return dropped;
                }
            }
        }
        return null;
    }
}
