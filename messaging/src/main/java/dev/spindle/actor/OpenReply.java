// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.actor.internal.Carried;
import dev.spindle.actor.internal.Letter;
import dev.spindle.internal.HandedContext;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * An answer or a result that an actor waits for: the callback of its stage, which sends a signal to the actor. The
 * fields belong to the owner of the actor, except {@code content}, which the thread that completes the stage also
 * reads.
 */
final class OpenReply<M, T extends @Nullable Object> implements BiConsumer<T, @Nullable Throwable> {
    /** The references to the actor, which are dropped when the stage completes or the actor ends. */
    private record Content<M, T extends @Nullable Object>(
            OpenReplies<M> all,
            @Nullable HandedContext context,
            BiFunction<? super @Nullable T, @Nullable Throwable, ? extends M> result) {}

    private volatile @Nullable Content<M, T> content;
    private final @Nullable Ask<?> ask;
    private boolean open;
    private boolean arrived;

    @Nullable
    OpenReply<M, ?> previous; // the previous reply in the list of OpenReplies

    @Nullable
    OpenReply<M, ?> next;

    OpenReply(
            OpenReplies<M> all,
            @Nullable HandedContext context,
            @Nullable Ask<?> ask,
            BiFunction<? super @Nullable T, @Nullable Throwable, ? extends M> result) {
        content = new Content<>(all, context, result);
        this.ask = ask;
    }

    /** Counts this reply as open, unless it is counted already, has arrived, or the actor has ended. */
    void open() {
        Content<M, T> own = content;
        if (own != null && !arrived && !open) {
            open = true;
            own.all.count(1);
        }
    }

    boolean hasRoom() {
        Content<M, T> own = content;
        return own == null || own.all.hasRoom();
    }

    /** Returns true if the actor has ended before this reply arrived. */
    boolean isClosed() {
        return content == null && !arrived;
    }

    @Override
    public void accept(T value, @Nullable Throwable failure) {
        Content<M, T> own = content;
        if (own != null) {
            boolean unused = own.all.actor().signal(new Arrival<>(this, own, value, unwrapped(failure)));
        }
    }

    private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
        return failure instanceof CompletionException e && e.getCause() != null ? e.getCause() : failure;
    }

    /** Drops the reference to the actor, which has ended, and ends the ask. */
    void end() {
        content = null;
        if (ask != null) {
            ask.abandon();
        }
    }

    /** Removes this reply, since it could not be registered as a callback of its stage. */
    void withdraw() {
        Content<M, T> own = content;
        if (own != null) {
            arrived(own);
        }
    }

    private void arrived(Content<M, T> own) {
        arrived = true;
        content = null;
        if (open) {
            open = false;
            own.all.count(-1);
        }
        own.all.remove(this);
    }

    /** The outcome of an ask or of a piped stage. */
    private static final class Arrival<M, T extends @Nullable Object> extends Letter.Signal {
        private final OpenReply<M, T> reply;
        private final Content<M, T> content;
        private final T value;
        private final @Nullable Throwable failure;

        Arrival(OpenReply<M, T> reply, Content<M, T> content, T value, @Nullable Throwable failure) {
            this.reply = reply;
            this.content = content;
            this.value = value;
            this.failure = failure;
        }

        @Override
        public boolean isForBehaviour() {
            return true;
        }

        @Override
        public void arrive() {
            if (reply.content == null) {
                return; // the actor has ended, or the reply was withdrawn
            }
            reply.arrived(content);
            content.all.actor().receive(Carried.made(content.context, () -> content.result.apply(value, failure)));
        }
    }
}
