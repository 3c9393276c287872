// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor.internal;

import org.jspecify.annotations.Nullable;

/** An entry of a mailbox: a request, unless it is a {@link Signal} or a {@link Mark}. Used once, in one mailbox. */
public class Letter {
    @Nullable
    Letter older; // the previous letter; after the owner has taken this letter, the next letter

    int number; // the number of requests pushed up to this letter

    private final @Nullable Object message;

    public Letter(@Nullable Object message) {
        this.message = message;
    }

    /** Takes the message; null if it was withdrawn. Called once, by the owner. */
    public @Nullable Object take() {
        return message;
    }

    /** Returns the message, or null if it was taken or withdrawn. For any thread. */
    public @Nullable Object peek() {
        return message;
    }

    /** Returns true if this letter belongs to the reply lane. */
    boolean isSignal() {
        return false;
    }

    /** The value of the word of a mailbox that is empty and has no owner, or that is stopped. */
    static final class Mark extends Letter {
        Mark(int number) {
            super(null);
            this.number = number;
        }
    }

    /** A letter of the reply lane, made by the library and never refused before the actor has ended. */
    public abstract static class Signal extends Letter {
        protected Signal() {
            super(null);
        }

        @Override
        final boolean isSignal() {
            return true;
        }

        /** Returns true if this signal is for the behaviour, and so is held while the actor is suspended. */
        public boolean isForBehaviour() {
            return false;
        }

        /** Performs the action of this signal. Called by the owner of the mailbox. */
        public abstract void arrive();
    }
}
