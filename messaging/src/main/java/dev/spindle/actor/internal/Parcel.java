// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor.internal;

import org.jspecify.annotations.Nullable;

/** A message in the outbox of an actor. For the owner of that actor. */
public abstract class Parcel {
    public final Mailbox target;
    public final Letter letter;

    protected Parcel(Mailbox target, Letter letter) {
        this.target = target;
        this.letter = letter;
    }

    /** Returns true if this parcel counts against the limit of the outbox. */
    public boolean isBounded() {
        return false;
    }

    /** Returns true if this parcel may be sent now, if there is room for it. */
    public boolean mayGo() {
        return true;
    }

    /** Returns true if this parcel need not be sent any more. */
    public boolean isVoid() {
        return false;
    }

    /** Called when the letter is in the target's mailbox. */
    public abstract void sent();

    /** Called when the letter is refused; {@code why} is null if the target has stopped. */
    public abstract void refused(@Nullable Throwable why);
}
