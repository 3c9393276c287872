// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The last simulation that the calling thread has created, for parts of the library that belong to no spindle. */
public final class CallersSimulation {
    private static final ThreadLocal<@Nullable ArrayDeque<Reference<Pool>>> MADE = new ThreadLocal<>();
    private static volatile boolean any;

    private CallersSimulation() {}

    /** Adds the pool of a simulation that the calling thread has made. */
    public static void add(Pool simulated) {
        any = true;
        ArrayDeque<Reference<Pool>> made = MADE.get();
        if (made == null) {
            made = new ArrayDeque<>();
            MADE.set(made);
        }
        made.removeIf(reference -> !isOpen(reference.get()));
        made.addLast(new WeakReference<>(simulated));
    }

    /** Removes a pool that the calling thread has added. */
    public static void remove(Pool simulated) {
        ArrayDeque<Reference<Pool>> made = MADE.get();
        if (made != null) {
            made.removeIf(reference -> reference.get() == simulated);
        }
    }

    /** Returns the last simulation made by the calling thread that has not terminated, or null. */
    public static @Nullable Pool get() {
        ArrayDeque<Reference<Pool>> made = any ? MADE.get() : null;
        Pool last = null;
        while (made != null && !made.isEmpty() && last == null) {
            last = made.getLast().get();
            if (!isOpen(last)) {
                last = null;
                made.removeLast();
            }
        }
        return last;
    }

    /** Notifies the calling thread's simulation, if any, that the thread has observed the failure of {@code future}. */
    public static void failureSeen(CompletableFuture<?> future) {
        Pool last = any ? get() : null;
        if (last != null) {
            last.failureSeen(future);
        }
    }

    private static boolean isOpen(@Nullable Pool pool) {
        return pool != null && !pool.lifetime().isEnded();
    }
}
