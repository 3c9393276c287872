// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when an actor or a pipeline that was closed accepts nothing more. The cause is the failure that has ended it,
 * if any.
 */
public final class ClosedException extends RejectedExecutionException {
    private static final long serialVersionUID = 1;

    /** Creates an exception. */
    public ClosedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
