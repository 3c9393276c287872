// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor.internal;

import dev.spindle.internal.wait.WaitQueue;

/** A sender that waits for room in a mailbox, with its request. It enters the queue of the mailbox at most once. */
public abstract class Waiter extends WaitQueue.Waiter<Waiter> {
    public final Mailbox target;
    public final Letter letter;
    public final long since;

    protected Waiter(Mailbox target, Letter letter, long since) {
        this.target = target;
        this.letter = letter;
        this.since = since;
    }

    /** Called once, without a lock, when the letter was admitted to the mailbox. */
    public abstract void granted();

    /** Called once, without a lock, when the letter was refused. */
    public abstract void refused();

    /** Returns whether the sender is not on a worker of the spindle; a shutdown refuses such a sender. */
    public boolean isOutside() {
        return false;
    }

    /** Returns the sending actor, or the origin of a wait outside of actors. */
    public abstract Object from();
}
