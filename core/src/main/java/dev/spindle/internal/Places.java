// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The places of a lane or of a whole executor: one is taken by each accepted task until it starts or is withdrawn. */
public final class Places extends Room {
    private static final VarHandle FREE;

    static {
        try {
            FREE = MethodHandles.lookup().findVarHandle(Places.class, "free", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int free;

    /** Creates places that are all free. */
    public Places(int capacity) {
        free = capacity;
    }

    @Override
    boolean take() {
        for (int f = free; f > 0; f = free) {
            if (FREE.compareAndSet(this, f, f - 1)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void giveBack() {
        int unused = (int) FREE.getAndAdd(this, 1);
        made();
    }

    @Override
    public boolean isFree() {
        return free > 0;
    }

    int free() {
        return free;
    }
}
