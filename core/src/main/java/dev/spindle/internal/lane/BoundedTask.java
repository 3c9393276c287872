// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.limit.CountedPermits;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A mailbox entry that holds a permit of a bounded lane or executor until its task is taken or withdrawn. */
public final class BoundedTask extends DeferredTask {
    private static final VarHandle TASK;

    static {
        try {
            TASK = MethodHandles.lookup().findVarHandle(BoundedTask.class, "task", Runnable.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // read through TASK: getAndSet(null) decides which thread takes the task
    private @Nullable Runnable task;

    private final @Nullable CountedPermits lanePlaces;
    private final @Nullable CountedPermits allPlaces;

    /** Wraps {@code task}, and gives a permit back to each bound when the task has left the mailbox. */
    public BoundedTask(Runnable task, @Nullable CountedPermits lanePlaces, @Nullable CountedPermits allPlaces) {
        this.task = task;
        this.lanePlaces = lanePlaces;
        this.allPlaces = allPlaces;
    }

    @Override
    @Nullable
    Runnable take() {
        return withdraw(); // dropOldest may take the task at any time
    }

    @Override
    public @Nullable Runnable withdraw() {
        Runnable r = drop();
        if (r != null) {
            if (allPlaces != null) {
                allPlaces.giveBack(); // first, since a submitter that lanePlaces admits needs both
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

    /** Withdraws the task in favour of a newer task, to which the permits pass. */
    @Override
    @Nullable
    Runnable drop() {
        return (Runnable) TASK.getAndSet(this, null); // F4
    }
}
