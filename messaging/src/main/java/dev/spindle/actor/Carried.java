// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A message with the context of the thread that handed it over, or the code that makes the message. Stands for the
 * message in a letter, if there is a context or such code.
 */
final class Carried {
    final @Nullable Object context;
    final @Nullable Callable<?> source;
    private @Nullable Object message; // written by the owner, once, if there is a source

    private Carried(@Nullable Object context, @Nullable Callable<?> source, @Nullable Object message) {
        this.context = context;
        this.source = source;
        this.message = message;
    }

    static Carried message(@Nullable Object context, Object message) {
        return new Carried(context, null, message);
    }

    /** Returns a message that {@code source} makes in the turn in which it is handled. */
    static Carried made(@Nullable Object context, Callable<?> source) {
        return new Carried(context, source, null);
    }

    /** Returns the message, or null if it was not made. */
    @Nullable
    Object message() {
        return message;
    }

    /** Returns the message; makes it if need be. Runs code of the user. */
    Object make() throws Exception {
        if (source != null) {
            message = source.call();
        }
        if (message == null) {
            throw new NullPointerException("the message made of a reply or an end");
        }
        return message;
    }
}
