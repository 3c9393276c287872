// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.limit.CountedPermits;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A mailbox entry that holds the permits of its task until the task is taken or withdrawn. */
public final class BoundedTask extends DeferredTask {
    private static final VarHandle TASK;

    static {
        try {
            TASK = MethodHandles.lookup().findVarHandle(BoundedTask.class, "task", Runnable.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // read through TASK; the thread whose getAndSet returns the task takes it
    private @Nullable Runnable task;

    private final @Nullable CountedPermits lanePlaces;
    private final @Nullable CountedPermits allPlaces;

    /**
     * Creates an entry. When {@code task} is taken or withdrawn, the entry gives back a permit of each bound that is
     * not null.
     */
    public BoundedTask(Runnable task, @Nullable CountedPermits lanePlaces, @Nullable CountedPermits allPlaces) {
        this.task = task;
        this.lanePlaces = lanePlaces;
        this.allPlaces = allPlaces;
    }

    @Override
    @Nullable
    Runnable take() {
        return withdraw();
    }

    @Override
    public @Nullable Runnable withdraw() {
        Runnable r = drop();
        if (r != null) {
            if (allPlaces != null) {
                allPlaces.giveBack(); // first, since a submitter that waits for a lane permit needs both permits
            }
            if (lanePlaces != null) {
                lanePlaces.giveBack();
            }
        }
        return r;
    }

    @Override
    boolean isPending() {
        return TASK.getOpaque(this) != null;
    }

    /** Withdraws the task without giving the permits back. The caller takes over the permits. */
    @Override
    @Nullable
    Runnable drop() {
        return (Runnable) TASK.getAndSet(this, null); // F4
    }
}
