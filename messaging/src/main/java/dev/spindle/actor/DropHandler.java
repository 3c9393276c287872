// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

/**
 * A handler of accepted messages that will not be delivered, because their actor has ended or their mailbox never gets
 * room. Must be thread-safe; its exceptions are reported.
 */
@FunctionalInterface
public interface DropHandler {
    /** Handles one dropped message, in the thread that ends the actor or finds it ended. */
    void onDrop(ActorRef<?> target, Object message);
}
