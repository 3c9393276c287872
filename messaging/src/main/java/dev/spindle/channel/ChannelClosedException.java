// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a send to a closed channel, and by a receive from a closed channel whose values were all received. The
 * cause is the argument of {@link Channel#close(Throwable)} if that method has closed the channel. This class does not
 * extend {@link java.util.concurrent.RejectedExecutionException}, since a receive submits no task.
 */
public final class ChannelClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    ChannelClosedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
