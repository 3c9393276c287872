// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.util.concurrent.RejectedExecutionException;

/** Thrown when a pipeline was drained or halted and accepts no more events. The cause is that of the halt, if any. */
public final class PipelineClosedException extends RejectedExecutionException {
    private static final long serialVersionUID = 1;

    PipelineClosedException(String message, Throwable cause) {
        super(message, cause);
    }

    PipelineClosedException(String message) {
        super(message);
    }
}
