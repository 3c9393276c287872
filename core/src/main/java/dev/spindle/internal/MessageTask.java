// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/**
 * Stands for a message where a task is reported: the failure handler gets the message itself, the log its class.
 *
 * @param message the user's own object
 * @param of what could not handle it
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
