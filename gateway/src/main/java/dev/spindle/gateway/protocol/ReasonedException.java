// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

/**
 * A failure whose message is a reason in a few words, for the log and for clients. The exception has no stack trace,
 * since its cause is an action of a client or a backend, not a fault of this code.
 */
public abstract class ReasonedException extends Exception {
    private static final long serialVersionUID = 1;

    /** Creates a failure with its reason, which fits on one line. */
    protected ReasonedException(String reason) {
        super(reason, null, false, false);
    }

    /** Returns the reason. */
    public final String reason() {
        return String.valueOf(getMessage());
    }
}
