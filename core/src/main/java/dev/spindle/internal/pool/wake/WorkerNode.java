// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool.wake;

import dev.spindle.internal.Scheduler;
import dev.spindle.internal.WorkerContext;
import org.jspecify.annotations.Nullable;

/** A worker as a node of the stack of idle workers: its state and its links, which {@link WorkerStates} changes. */
public abstract class WorkerNode extends WorkerContext {
    /*
     * field         writers                        readers             mode
     * state         WorkerStates, under its lock   all                 volatile
     * below, above  the same                       same                plain
     * place         the registry, before the       all                 plain
     *               thread is made
     */
    @SuppressWarnings("unused") // keeps the following fields, and those of Worker, off the cache lines of WorkerContext
    private long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16;

    volatile WorkerState state = WorkerState.STARTING;
    final int stack; // the index of the stack
    int place = -1;

    @Nullable
    WorkerNode below;

    @Nullable
    WorkerNode above;

    /**
     * Creates a worker that is {@link WorkerState#STARTING}.
     *
     * @param sampleOneIn the number of tasks of which one is measured, or 0
     * @param auxiliary true if the factory of auxiliaries makes the thread
     */
    protected WorkerNode(Scheduler scheduler, long quantumNanos, int sampleOneIn, boolean auxiliary) {
        super(scheduler, quantumNanos, sampleOneIn);
        stack = auxiliary ? 1 : 0;
    }

    /** Returns the current state. */
    public final WorkerState state() {
        return state;
    }

    /** Returns whether the factory of auxiliaries makes the thread. */
    public final boolean isAuxiliary() {
        return stack == 1;
    }

    /** Returns the index in the registry, or -1. */
    public final int place() {
        return place;
    }

    /** Sets the index in the registry. */
    public final void setPlace(int index) {
        place = index;
    }

    /** Returns whether the thread is virtual, and so needs a carrier to run. */
    public abstract boolean isVirtual();

    /** Unparks the thread. */
    public abstract void unpark();
}
