// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import org.jspecify.annotations.Nullable;

/** A link of a mailbox: a request, unless it is a {@link Signal} or a {@link Mark}. Used in one mailbox, once. */
class Letter {
    @Nullable
    Letter older; // from its push on; once the owner has taken it, the one that comes after it

    int number; // of requests that were ever pushed, up to this one

    private final @Nullable Object message;

    Letter(@Nullable Object message) {
        this.message = message;
    }

    /** Returns the message, for the owner, once. */
    @Nullable
    Object take() {
        return message;
    }

    /** Returns whether this belongs to the reply lane. */
    boolean isSignal() {
        return false;
    }

    /** The word of a mailbox that is empty and has no owner, or that takes nothing more. */
    static final class Mark extends Letter {
        Mark(int number) {
            super(null);
            this.number = number;
        }
    }

    /** A letter of the reply lane: known to the library, and never refused while the actor lives. */
    abstract static class Signal extends Letter {
        Signal() {
            super(null);
        }

        @Override
        final boolean isSignal() {
            return true;
        }

        /** Returns whether it is for the behaviour of the actor, and waits while that is being restarted. */
        boolean isForBehaviour() {
            return false;
        }

        /** Does what it is for; called by the owner of {@code actor}. */
        abstract void arrive(ActorCell<?> actor);
    }
}
