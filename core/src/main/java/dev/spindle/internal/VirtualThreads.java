// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Recognizes virtual threads, on a JDK that has them. */
public final class VirtualThreads {
    private static final @Nullable Method IS_VIRTUAL = find();

    private VirtualThreads() {}

    private static @Nullable Method find() {
        try {
            return Thread.class.getMethod("isVirtual");
        } catch (NoSuchMethodException e) {
            return null; // before JDK 21
        }
    }

    /** Returns whether {@code thread} is a virtual one. */
    public static boolean isVirtual(Thread thread) {
        try {
            return IS_VIRTUAL != null && Boolean.TRUE.equals(IS_VIRTUAL.invoke(thread));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Thread.isVirtual", e);
        }
    }
}
