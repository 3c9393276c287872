// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import org.jspecify.annotations.Nullable;

/**
 * The end of an actor and its cause.
 *
 * @param actor the name of the actor
 * @param cause the failure that ended the actor, a {@link java.util.concurrent.CancellationException} after a
 *     {@link dev.spindle.Spindle#shutdownNow shutdownNow}, or null if it was stopped
 * @param message the message whose handling failed, or null if the actor ended for another reason
 */
public record ActorExit(
        String actor, @Nullable Throwable cause, @Nullable Object message) {
    /** Creates the end of an actor without a message that it failed to handle. */
    public ActorExit(String actor, @Nullable Throwable cause) {
        this(actor, cause, null);
    }
}
