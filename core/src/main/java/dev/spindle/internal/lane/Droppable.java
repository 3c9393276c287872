// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a lane that count against a bound, oldest first, as one walk over its mailbox found them. Each drop
 * takes the next task, so one walk serves many drops, and also removes the nodes that earlier drops have emptied. So a
 * drop takes amortised constant time. Thread-safe.
 */
final class Droppable {
    private final @Nullable BoundedTask[] tasks;
    private final AtomicInteger next = new AtomicInteger();

    /**
     * Walks over a mailbox.
     *
     * @param taken the oldest node that the owner has taken, linked from old to new
     * @param newest the newest node that the owner has not taken
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

    /** Drops the oldest task that is left, and returns it; null if no task is left. */
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
