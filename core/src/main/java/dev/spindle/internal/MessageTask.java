// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/**
 * Represents a message where a task is reported. The failure handler gets the message itself, the log its class.
 *
 * @param message the user's own object
 * @param of the receiver that failed to handle it
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
