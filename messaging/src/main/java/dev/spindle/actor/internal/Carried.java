// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor.internal;

import dev.spindle.internal.HandedContext;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The content of a letter: a message with the context of its sender, or code that makes the message in the turn that
 * handles it.
 */
public final class Carried {
    private final @Nullable HandedContext context;
    private final @Nullable Callable<?> source;
    private @Nullable Object message; // if there is a source, written once, by the owner

    private Carried(@Nullable HandedContext context, @Nullable Callable<?> source, @Nullable Object message) {
        this.context = context;
        this.source = source;
        this.message = message;
    }

    public static Carried message(@Nullable HandedContext context, Object message) {
        return new Carried(context, null, message);
    }

    /** Returns a message that {@code source} makes in the turn that handles it. */
    public static Carried made(@Nullable HandedContext context, Callable<?> source) {
        return new Carried(context, source, null);
    }

    /** Returns the context in which the message is handled. */
    public @Nullable HandedContext context() {
        return context;
    }

    /** Returns the message, or null if it has not been made. */
    public @Nullable Object message() {
        return message;
    }

    /** Returns the message, and makes it first if there is a source. Runs user code. */
    public Object make() throws Exception {
        if (source != null) {
            message = source.call();
        }
        if (message == null) {
            throw new NullPointerException("the message made of a reply or an end");
        }
        return message;
    }
}
