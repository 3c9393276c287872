// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A message in the outbox of an actor. For the owner of that actor. */
abstract class Parcel {
    final ActorCell<?> target;
    final Letter letter;

    Parcel(ActorCell<?> target, Letter letter) {
        this.target = target;
        this.letter = letter;
    }

    /** Returns whether this counts against the limit of the outbox. */
    boolean isBounded() {
        return false;
    }

    /** Returns whether this may be sent now, if there is room for it. */
    boolean mayGo() {
        return true;
    }

    /** Returns whether this need not be sent any more. */
    boolean isVoid() {
        return false;
    }

    /** Called when the letter is in the target's mailbox. */
    abstract void sent();

    /** Called when the letter is refused; {@code why} is null if the target has stopped. */
    abstract void refused(@Nullable Throwable why);

    /** A message sent by a tell. */
    static final class Tell extends Parcel {
        Tell(ActorCell<?> target, Letter letter) {
            super(target, letter);
        }

        @Override
        boolean isBounded() {
            return true;
        }

        @Override
        void sent() {}

        @Override
        void refused(@Nullable Throwable why) {
            target.drop(letter);
        }
    }

    /** A message sent by {@link ActorRef#sendAsync}. */
    static final class Send extends Parcel {
        private final CompletableFuture<@Nullable Void> stage;

        Send(ActorCell<?> target, Letter letter, CompletableFuture<@Nullable Void> stage) {
            super(target, letter);
            this.stage = stage;
        }

        @Override
        void sent() {
            stage.complete(null);
        }

        @Override
        void refused(@Nullable Throwable why) {
            stage.completeExceptionally(why == null ? target.stoppedException("a message") : why);
        }
    }

    /** A request of an ask. One made with an {@link ActorContext} also needs a place among the open replies. */
    static final class Ask extends Parcel {
        private final Reply<?> reply;
        private final @Nullable OpenReply<?, ?> place;

        Ask(ActorCell<?> target, Letter letter, Reply<?> reply, @Nullable OpenReply<?, ?> place) {
            super(target, letter);
            this.reply = reply;
            this.place = place;
        }

        @Override
        boolean mayGo() {
            return place == null || place.hasRoom();
        }

        @Override
        boolean isVoid() {
            return reply.isDone()
                    && (place == null || !place.isClosed()); // asks of an actor that has ended are still sent
        }

        @Override
        void sent() {
            if (place != null) {
                place.open();
            }
        }

        @Override
        void refused(@Nullable Throwable why) {
            boolean unused = reply.failure(why == null ? target.stoppedException("an ask") : why);
        }
    }
}
