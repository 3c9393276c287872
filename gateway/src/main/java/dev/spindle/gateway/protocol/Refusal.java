// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

/** The refusal of a message: the status for the client that sent it, and the reason for the log. */
public final class Refusal extends ReasonedException {
    private static final long serialVersionUID = 1;

    private final int status;

    /**
     * Creates a refusal.
     *
     * @param status the status that the client gets; 502 if the message is an answer of a backend
     */
    public Refusal(int status, String reason) {
        super(reason);
        this.status = status;
    }

    /** Returns the status. */
    public int status() {
        return status;
    }
}
