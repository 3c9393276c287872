// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import java.util.List;

/**
 * Thrown to an actor that closes a cycle of actors waiting for room in each other's mailboxes, when the overdrafts of
 * these mailboxes are used up. Such actors send each other more messages than they handle.
 */
public final class MailboxDeadlockException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // an immutable list of strings, which is serializable
    private final List<String> path;

    MailboxDeadlockException(Overdraft refused, String target, int capacity, int overdraft) {
        super("actors wait for room in each other's mailboxes: " + refused.describePath() + "; that of " + target
                + " has its capacity of " + capacity + " and its overdraft of " + overdraft
                + " in use, and so have all others. Have them send fewer messages than they handle, or raise"
                + " capacity() or overdraft()");
        path = refused.path();
    }

    /** Returns the names of the actors. Each waits for the next, and the last for the first. */
    public List<String> path() {
        return path;
    }
}
