// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import org.jspecify.annotations.Nullable;

/** A sender that waits for room in a mailbox, with its request; in the queue of that mailbox at most once. */
abstract class Waiter {
    final Mailbox target;
    final Letter letter;
    final long since;

    /** Whether it is in the queue. Written under the lock of the target: once to true, and once back. */
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

    /** Says that the letter is in the mailbox. Called once, outside every lock. */
    abstract void granted();

    /** Says that the letter will never be in the mailbox. Called once, outside every lock. */
    abstract void refused();

    /** Returns whether a thread outside of the spindle waits, which a shutdown refuses. */
    boolean isOutside() {
        return false;
    }

    /** Returns who waits: an actor, or where a wait of others began. */
    abstract Object from();
}
