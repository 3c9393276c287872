// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a closed actor refuses a message, or a closed pipeline refuses an event. The cause is the failure that
 * ended the actor or the pipeline, or null.
 */
public final class ClosedException extends RejectedExecutionException {
    private static final long serialVersionUID = 1;

    /** Creates an exception. */
    public ClosedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
