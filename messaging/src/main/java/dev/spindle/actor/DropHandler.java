// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

/**
 * Told of each message that was accepted and will not be handled, since the actor that it was for has ended, or has no room for
 * it and never will. Must be thread-safe; what it throws is reported.
 */
@FunctionalInterface
public interface DropHandler {
    /** Handles one dropped message; on the thread that ends the actor, or that finds it ended. */
    void onDrop(ActorRef<?> target, Object message);
}
