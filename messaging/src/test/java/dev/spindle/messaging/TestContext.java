// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import dev.spindle.TestDecorator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A context that a task decorator carries: a string of each thread. */
public final class TestContext implements TestDecorator {
    private static final ThreadLocal<String> CONTEXT = ThreadLocal.withInitial(() -> "none");

    /** Returns the context of the calling thread. */
    public static String current() {
        return CONTEXT.get();
    }

    /** Sets the context of the calling thread. */
    public static void set(String context) {
        CONTEXT.set(context);
    }

    /** Calls {@code code} in {@code context}. */
    public static <T> T in(String context, Supplier<T> code) {
        String before = CONTEXT.get();
        CONTEXT.set(context);
        try {
            return code.get();
        } finally {
            CONTEXT.set(before);
        }
    }

    /** Returns the context; throws for the context {@code bad}. */
    @Override
    public Object capture() {
        if (CONTEXT.get().equals("bad")) {
            throw new IllegalStateException("capture");
        }
        return CONTEXT.get();
    }

    /** Sets the captured context; throws for the context {@code unusable}. */
    @Override
    public Runnable restore(@Nullable Object captured) {
        if ("unusable".equals(captured)) {
            throw new IllegalStateException("restore");
        }
        String before = CONTEXT.get();
        CONTEXT.set(String.valueOf(captured));
        return () -> CONTEXT.set(before);
    }
}
