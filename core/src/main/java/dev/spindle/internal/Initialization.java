// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.invoke.MethodHandles;

/**
 * Initializes classes before their first use (contract F5). A class stays unusable if its initialization exhausts the
 * stack, and the first submit may be called near the end of a stack.
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
