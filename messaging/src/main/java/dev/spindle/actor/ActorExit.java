// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import org.jspecify.annotations.Nullable;

/**
 * The end of an actor.
 *
 * @param actor its name
 * @param cause the failure that ended it, a {@link java.util.concurrent.CancellationException} after a
 *     {@link dev.spindle.Spindle#shutdownNow shutdownNow}, or null if it was stopped
 * @param message the message whose handling ended it, or null if no message did
 */
public record ActorExit(
        String actor, @Nullable Throwable cause, @Nullable Object message) {
    /** Creates the end of an actor that no message has ended. */
    public ActorExit(String actor, @Nullable Throwable cause) {
        this(actor, cause, null);
    }
}
