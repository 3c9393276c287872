// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** Makes virtual threads, and distinguishes them from platform threads, by reflection, since JDK 17 has none. */
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

    /** Returns whether this JDK has virtual threads. */
    public static boolean exist() {
        return Runtime.version().feature() >= 21;
    }

    /**
     * Returns a factory of virtual threads named {@code name-1}, {@code name-2} and so on. As with the threads of other
     * executors, a thread inherits neither thread-locals nor the context class loader of the thread that creates it.
     */
    public static ThreadFactory factory(String name) {
        try {
            Class<?> builder = Class.forName("java.lang.Thread$Builder");
            Object made = Thread.class.getMethod("ofVirtual").invoke(null);
            made = builder.getMethod("name", String.class, long.class).invoke(made, name + "-", 1L);
            made = builder.getMethod("inheritInheritableThreadLocals", boolean.class)
                    .invoke(made, false);
            ThreadFactory factory = (ThreadFactory)
                    Objects.requireNonNull(builder.getMethod("factory").invoke(made));
            return worker -> {
                Thread thread = Objects.requireNonNull(factory.newThread(worker));
                thread.setContextClassLoader(VirtualThreads.class.getClassLoader()); // U3
                return thread;
            };
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Thread.ofVirtual", e);
        }
    }
}
