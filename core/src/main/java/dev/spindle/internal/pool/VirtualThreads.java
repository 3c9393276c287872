// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Recognizes virtual threads, on a JDK that has them. */
final class VirtualThreads {
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
    static boolean isVirtual(Thread thread) throws ReflectiveOperationException {
        return IS_VIRTUAL != null && Boolean.TRUE.equals(IS_VIRTUAL.invoke(thread));
    }
}
