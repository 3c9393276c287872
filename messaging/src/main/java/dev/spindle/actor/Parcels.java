// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.actor.internal.Letter;
import dev.spindle.actor.internal.Parcel;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The kinds of parcels: messages of a tell, a {@code sendAsync} and an ask. */
final class Parcels {
    private Parcels() {}

    /** A message sent by a tell. */
    static final class Tell extends Parcel {
        private final ActorBase receiver;

        Tell(ActorBase receiver, Letter letter) {
            super(receiver, letter);
            this.receiver = receiver;
        }

        @Override
        public boolean isBounded() {
            return true;
        }

        @Override
        public void sent() {}

        @Override
        public void refused(@Nullable Throwable why) {
            receiver.drop(letter);
        }
    }

    /** A message sent by {@link ActorRef#sendAsync}. */
    static final class Send extends Parcel {
        private final ActorBase receiver;
        private final CompletableFuture<@Nullable Void> stage;

        Send(ActorBase receiver, Letter letter, CompletableFuture<@Nullable Void> stage) {
            super(receiver, letter);
            this.receiver = receiver;
            this.stage = stage;
        }

        @Override
        public void sent() {
            stage.complete(null);
        }

        @Override
        public void refused(@Nullable Throwable why) {
            stage.completeExceptionally(why == null ? receiver.stoppedException("a message") : why);
        }
    }

    /** A request of an ask. An ask by an {@link ActorContext} also needs a place among the open replies. */
    static final class Request extends Parcel {
        private final ActorBase receiver;
        private final Ask<?> ask;
        private final @Nullable OpenReply<?, ?> place;

        Request(ActorBase receiver, Letter letter, Ask<?> ask, @Nullable OpenReply<?, ?> place) {
            super(receiver, letter);
            this.receiver = receiver;
            this.ask = ask;
            this.place = place;
        }

        @Override
        public boolean mayGo() {
            return place == null || place.hasRoom();
        }

        @Override
        public boolean isVoid() {
            return ask.isDone()
                    && (place == null || !place.isClosed()); // asks of an actor that has ended are still sent
        }

        @Override
        public void sent() {
            if (place != null) {
                place.open();
            }
        }

        @Override
        public void refused(@Nullable Throwable why) {
            boolean unused = ask.failure(why == null ? receiver.stoppedException("an ask") : why);
        }
    }
}
