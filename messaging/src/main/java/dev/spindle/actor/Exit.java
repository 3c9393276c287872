// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import org.jspecify.annotations.Nullable;

/**
 * The end of an actor.
 *
 * @param cause the failure that ended the actor, a {@link java.util.concurrent.CancellationException} after a
 *     {@code shutdownNow}, or null if it was drained or halted
 * @param message the message whose handling failed, or null if the actor ended for another reason
 */
record Exit(@Nullable Throwable cause, @Nullable Object message) {
    static final Exit NORMAL = new Exit(null, null);
}
