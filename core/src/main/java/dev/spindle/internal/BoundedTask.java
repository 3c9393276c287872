// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Holds a place in a bounded lane or a bounded executor until its task is taken or withdrawn. */
public final class BoundedTask extends LateTask {
    private static final VarHandle TASK;

    static {
        try {
            TASK = MethodHandles.lookup().findVarHandle(BoundedTask.class, "task", Runnable.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // read through TASK: getAndSet(null) decides who has it
    private @Nullable Runnable task;

    private final @Nullable Places lanePlaces;
    private final @Nullable Places allPlaces;

    /** Stands for {@code task}, and gives back a place of each when the task has left. */
    public BoundedTask(Runnable task, @Nullable Places lanePlaces, @Nullable Places allPlaces) {
        this.task = task;
        this.lanePlaces = lanePlaces;
        this.allPlaces = allPlaces;
    }

    @Override
    @Nullable
    Runnable take() {
        return withdraw(); // dropOldest can reach it anywhere
    }

    @Override
    public @Nullable Runnable withdraw() {
        Runnable r = (Runnable) TASK.getAndSet(this, null);
        if (r != null) {
            if (lanePlaces != null) {
                lanePlaces.giveBack();
            }
            if (allPlaces != null) {
                allPlaces.giveBack();
            }
        }
        return r;
    }

    @Override
    boolean isPending() {
        return TASK.getOpaque(this) != null;
    }
}
