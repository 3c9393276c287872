// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.InternalTask;
import dev.spindle.internal.WorkerContext;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A run of a coalescer on its strand, which delivers pending values for a slice of time. Used once. */
final class Delivery<K, V> extends InternalTask implements CancellableEntry {
    /**
     * The time after which a run ends and another is submitted; so each slice counts as a task of the strand, which may
     * run other tasks in between.
     */
    private static final long SLICE_NANOS = 50_000;

    /** The maximum number of deliveries between two readings of the clock. */
    private static final int MAX_STRIDE = 32;

    private static final VarHandle SPENT;

    static {
        try {
            SPENT = MethodHandles.lookup().findVarHandle(Delivery.class, "spent", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Coalescer<K, V> coalescer;
    private final PendingKeys<K, V> keys;

    @SuppressWarnings("UnusedVariable") // written through SPENT
    private volatile boolean spent;

    private boolean owner; // true while this run owns the pending keys, until it finishes or submits the next run
    private @Nullable WorkerContext worker;
    private int stride = 1;
    private int untilReading = 1;
    private long begin;
    private long last;

    Delivery(Coalescer<K, V> coalescer, PendingKeys<K, V> keys) {
        this.coalescer = coalescer;
        this.keys = keys;
    }

    @Override
    public void run() {
        if (spend()) {
            owner = true;
            try {
                deliver();
            } finally {
                if (owner) {
                    keys.abandon(); // the next offer starts a run
                }
            }
        }
    }

    /** Claims this run for running or withdrawing it; returns false if it was claimed before. */
    private boolean spend() {
        return SPENT.compareAndSet(this, false, true);
    }

    private void deliver() {
        worker = WorkerContext.current();
        int left = coalescer.batch();
        for (; ; ) {
            KeySlot<K, V> slot = coalescer.isHalted() ? null : keys.next();
            if (slot == null) {
                if (coalescer.isHalted()) {
                    coalescer.takeAway();
                    owner = false;
                    return;
                }
                if (keys.finish()) {
                    owner = false;
                    coalescer.admit(true);
                    return;
                }
                continue;
            }
            KeyUpdate<V> update = slot.take();
            if (update != null) {
                coalescer.handle(this, slot, update);
            }
            left--;
            if (keys.isAwaited()) {
                coalescer.admit(true);
            }
            boolean hurried = worker != null && worker.isHurried();
            if ((left <= 0 || --untilReading <= 0 || hurried)
                    && keys.hasMore()
                    && (left <= 0 || hurried || isTimeUp())) {
                VarHandle.fullFence(); // partner: a sender that counts itself, then reads `taken` (PendingKeys-8)
                coalescer.admit(true);
                if (coalescer.submit()) {
                    owner = false;
                    return;
                }
                left = coalescer.batch(); // the strand rejects the next run, so this run continues
                if (hurried && worker != null) {
                    worker.answerHurry();
                }
            }
        }
    }

    /** Reads the clock of the pool; returns whether the slice of time is over. */
    private boolean isTimeUp() {
        WorkerContext here = worker;
        if (here == null) {
            untilReading = MAX_STRIDE;
            return false;
        }
        long now = here.scheduler().nanoTime();
        boolean first = begin == 0;
        begin = first ? now : begin;
        stride = first || now - last < SLICE_NANOS / 8 ? Math.min(MAX_STRIDE, stride * 2) : 1;
        last = now;
        untilReading = stride;
        return now - begin >= SLICE_NANOS;
    }

    /** Returns true, since the pending values were accepted and the strand has not ended. */
    @Override
    public boolean goesOn() {
        return true;
    }

    @Override
    public Runnable userTask() {
        return this;
    }

    @Override
    public void withdrawn() {
        if (spend()) {
            keys.abandon();
            coalescer.resume();
        }
    }

    @Override
    public String toString() {
        return "delivery of " + coalescer;
    }
}
