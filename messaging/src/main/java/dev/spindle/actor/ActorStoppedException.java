// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Thrown by operations on an actor that was stopped or has ended. */
public final class ActorStoppedException extends RejectedExecutionException {
    private static final long serialVersionUID = 1;

    ActorStoppedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
