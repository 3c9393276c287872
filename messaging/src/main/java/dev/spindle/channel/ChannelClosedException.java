// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a value cannot be sent because the channel was closed, or none can be received because it was closed and
 * every value was received. The cause is the one with which the channel was closed, if any. Not a
 * {@link java.util.concurrent.RejectedExecutionException}, since a receive submits nothing.
 */
public final class ChannelClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    ChannelClosedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
