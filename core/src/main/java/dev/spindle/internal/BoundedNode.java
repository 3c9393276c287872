// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** A node that holds a place in a bounded lane or a bounded executor until its task is taken or withdrawn. */
public final class BoundedNode extends LateNode {
    private final @Nullable Semaphore lanePlaces;
    private final @Nullable Semaphore allPlaces;

    /** Creates a node for {@code task} that gives back one permit of each semaphore when the task has left. */
    public BoundedNode(Runnable task, @Nullable Semaphore lanePlaces, @Nullable Semaphore allPlaces) {
        super(task);
        this.lanePlaces = lanePlaces;
        this.allPlaces = allPlaces;
    }

    @Override
    @Nullable
    Runnable take() {
        return withdraw(); // dropOldest can reach any node
    }

    @Override
    public @Nullable Runnable withdraw() {
        Runnable r = super.withdraw();
        if (r != null) {
            if (lanePlaces != null) {
                lanePlaces.release();
            }
            if (allPlaces != null) {
                allPlaces.release();
            }
        }
        return r;
    }

    @Override
    boolean isBounded() {
        return true;
    }
}
