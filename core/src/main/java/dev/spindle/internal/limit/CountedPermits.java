// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.limit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The permits of a lane or of a whole executor, of which each accepted task holds one until it starts or is withdrawn;
 * or the permits of the turns of a key space.
 */
public final class CountedPermits extends FairPermits {
    private static final VarHandle FREE;
    private static final VarHandle MOST;

    static {
        try {
            FREE = MethodHandles.lookup().findVarHandle(CountedPermits.class, "free", int.class);
            MOST = MethodHandles.lookup().findVarHandle(CountedPermits.class, "most", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int free; // less than 0 while more permits are taken than there are now
    private volatile int most;

    /** Returns {@code capacity} free permits, or null if {@code capacity} is 0, which means that there is no bound. */
    public static @Nullable CountedPermits of(int capacity) {
        return capacity == 0 ? null : new CountedPermits(capacity);
    }

    /** Creates {@code capacity} free permits. */
    public CountedPermits(int capacity) {
        free = capacity;
        most = capacity;
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

    /** Takes a permit even if none is free or there are waiters. */
    public void takeAnyway() {
        int unused = (int) FREE.getAndAdd(this, -1);
    }

    /** Returns true if there are no waiters, and no more permits are taken than there are. */
    public boolean isUncontended() {
        return waiters() == 0 && free >= 0;
    }

    /** Returns the number of permits, free and taken. */
    public int most() {
        return most;
    }

    /** Changes the number of permits to {@code permits}. Permits that are taken stay taken. */
    public void setMost(int permits) {
        if (most != permits) {
            int before = (int) MOST.getAndSet(this, permits);
            int unused = (int) FREE.getAndAdd(this, permits - before);
            made(); // F4
        }
    }

    /** Returns the number of free permits. */
    public int free() {
        return free;
    }
}
