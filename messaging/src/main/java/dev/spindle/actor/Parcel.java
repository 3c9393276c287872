// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A request in the outbox of an actor. For the owner of the actor. */
abstract class Parcel {
    final ActorCell<?> target;
    final Letter letter;

    Parcel(ActorCell<?> target, Letter letter) {
        this.target = target;
        this.letter = letter;
    }

    /** Returns whether it counts in the bound of the outbox. */
    boolean isBounded() {
        return false;
    }

    /** Returns whether it may go now, if there is room for it. */
    boolean mayGo() {
        return true;
    }

    /** Returns whether it need not go any more. */
    boolean isVoid() {
        return false;
    }

    /** Called when the letter is in the mailbox of the target. */
    abstract void sent();

    /** Called when the letter will never be there; {@code why} is null if that has stopped. */
    abstract void refused(@Nullable Throwable why);

    /** A message that was told. */
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

    /** A message for which a stage waits. */
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

    /** A request for which a reply waits; one of the actor itself also waits for its place among the open ones. */
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
                    && (place == null || !place.isClosed()); // what an actor has asked goes out at its end
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
