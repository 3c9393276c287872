// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/**
 * A message that an actor failed to handle, reported like a task that failed. The failure handler receives the message
 * itself, and the log contains the class of the message.
 *
 * @param message the user's own object
 * @param of the actor that failed to handle the message
 */
public record MessageTask(Object message, Object of) implements Runnable {
    /** Does nothing: the message is not handled again. */
    @Override
    public void run() {}

    @Override
    public String toString() {
        return "message " + message.getClass().getName();
    }
}
