// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.actor.internal.Carried;
import dev.spindle.internal.HandedContext;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The message by which a watching actor learns of the end of a watched actor. This object is in the {@link Watches} of
 * the watching actor until its message is handled, and in the {@link EndListeners} of the watched actor until that
 * actor ends. An {@code unwatch}, or the end of the watching actor, removes the object from both.
 */
final class Watch extends EndListeners.Listener {
    private final Watches watches;
    final ActorBase target;
    private final @Nullable HandedContext context;
    private final BiFunction<? super @Nullable Throwable, @Nullable Object, ?> message;
    private @Nullable Exit exit; // written before the letter is pushed
    boolean gone; // read and written by the owner of the watcher

    @Nullable
    Watch more; // the next watch by the same watcher of the same target

    /** Creates a watch; {@code message} makes the message from the failure and the unhandled message of the target. */
    Watch(
            Watches watches,
            ActorBase target,
            @Nullable HandedContext context,
            BiFunction<? super @Nullable Throwable, @Nullable Object, ?> message) {
        this.watches = watches;
        this.target = target;
        this.context = context;
        this.message = message;
    }

    /** Sends the message to the watcher, unless the watcher has ended. */
    @Override
    void ended(Exit with) {
        exit = with;
        boolean unused = watches.owner().force(this);
    }

    @Override
    public @Nullable Object take() {
        Exit ended = exit;
        if (gone || ended == null) {
            return null;
        }
        gone = true;
        watches.remove(this);
        return Carried.made(context, () -> messageOf(ended));
    }

    @SuppressWarnings("NullAway") // NullAway does not see the annotation of the wildcard's bound
    private Object messageOf(Exit ended) {
        return message.apply(ended.cause(), ended.message());
    }
}
