// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

/**
 * Handles messages that were accepted and will not be delivered, since their actor has ended, or will never have room
 * for them. Must be thread-safe; an exception is reported.
 */
@FunctionalInterface
public interface DropHandler {
    /** Handles one dropped message; on the thread that ends the actor, or that finds it ended. */
    void onDrop(ActorRef<?> target, Object message);
}
