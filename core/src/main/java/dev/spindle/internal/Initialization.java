// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.invoke.MethodHandles;

/**
 * Initializes classes before their first use. A class whose initialization exhausts the stack is unusable in the
 * rest of the process, and the first submit of a process may come near the end of a stack (contract F5).
 */
public final class Initialization {
    private Initialization() {}

    /** Initializes {@code classes}, to which {@code lookup} has access. */
    public static void of(MethodHandles.Lookup lookup, Class<?>... classes) {
        for (Class<?> each : classes) {
            try {
                Class<?> unused = lookup.ensureInitialized(each);
            } catch (IllegalAccessException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }
}
