// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import org.jspecify.annotations.Nullable;

/** A sender that waits for room in a mailbox, with its request. It enters the queue of the mailbox at most once. */
abstract class Waiter {
    final Mailbox target;
    final Letter letter;
    final long since;

    /** Whether this is in the queue. Written under the lock of the target: once to true, and once back. */
    volatile boolean queued;

    @Nullable
    Waiter before; // in the queue, under the lock of the target

    @Nullable
    Waiter after;

    Waiter(Mailbox target, Letter letter, long since) {
        this.target = target;
        this.letter = letter;
        this.since = since;
    }

    /** Called when the letter was admitted to the mailbox; once, without a lock. */
    abstract void granted();

    /** Called when the letter was refused; once, without a lock. */
    abstract void refused();

    /** Returns whether the sender is not on a worker of the spindle, so that a shutdown refuses it. */
    boolean isOutside() {
        return false;
    }

    /** Returns the sending actor, or the origin of a wait outside of actors. */
    abstract Object from();
}
