// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a value cannot be sent since the channel was closed, or none can be received since it was closed and
 * everything that was sent has been received. The cause is the one that the channel was closed with, if any.
 */
public final class ChannelClosedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ChannelClosedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
