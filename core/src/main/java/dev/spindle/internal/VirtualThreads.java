// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Distinguishes virtual threads from platform threads, on every JDK. */
public final class VirtualThreads {
    private static volatile @Nullable Class<?> known; // a class of virtual threads

    private VirtualThreads() {}

    /**
     * Looks up the method {@code Thread.isVirtual} on first use, since the look-up takes longer than the first task of
     * a pool.
     */
    private static final class Lookup {
        static final @Nullable Method IS_VIRTUAL = find();

        private static @Nullable Method find() {
            try {
                return Thread.class.getMethod("isVirtual");
            } catch (NoSuchMethodException e) {
                return null; // before JDK 21
            }
        }
    }

    /** Returns true if {@code thread} is a virtual thread. */
    public static boolean isVirtual(Thread thread) {
        Class<?> type = thread.getClass();
        if (type == Thread.class || !thread.isDaemon()) {
            return false; // virtual threads are daemons, and not of class Thread itself
        }
        if (type == known) {
            return true;
        }
        try {
            Method isVirtual = Lookup.IS_VIRTUAL;
            boolean is = isVirtual != null && Boolean.TRUE.equals(isVirtual.invoke(thread));
            if (is) {
                known = type; // all threads of one class are virtual, or none is
            }
            return is;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Thread.isVirtual", e);
        }
    }
}
