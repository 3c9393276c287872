// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.actor.internal.Letter;
import dev.spindle.actor.internal.Mailbox;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A request whose message may be replaced by a newer message with the same key until the actor takes the request. */
final class LatestLetter extends Letter {
    /*
     * `content` changes from a message to a newer message (replace), and finally to null, when the owner takes the
     * message. A content has the number of messages that it has replaced, which the owner adds to the actor's count.
     *
     * LatestLetter-1  A letter that an offer finds in the map is in the mailbox, since the insertion that publishes the
     *                 letter pushes it. So messages that a sender sends after a replacing offer come after the letter.
     * LatestLetter-2  A letter leaves the map after it was taken. The owner clears `content` and then reads `mapped`;
     *                 the sender writes `mapped` and then reads `content`. So the owner or the sender removes the
     *                 letter.
     *
     * The push runs while a bin of the map is locked, and runs no user code. The mailbox is made ready after the
     * insertion.
     *
     * Tests: ActorOrderTest, ActorTest.
     */
    private record Content(Object message, int replaced) {}

    private static final VarHandle CONTENT;

    static {
        try {
            CONTENT = MethodHandles.lookup().findVarHandle(LatestLetter.class, "content", Content.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ActorBase actor;
    private final Object key;
    private volatile @Nullable Content content;
    private volatile boolean mapped;

    private LatestLetter(ActorBase actor, Object key, Content content) {
        super(null);
        this.actor = actor;
        this.key = key;
        this.content = content;
    }

    /** Makes {@code message} the message that waits for {@code key}. */
    static Mailbox.Push offer(ActorBase actor, Object key, Object message) {
        ConcurrentHashMap<Object, LatestLetter> letters = actor.latest();
        for (; ; ) {
            if (replace(letters, key, message)) {
                return Mailbox.Push.QUEUED;
            }
            LatestLetter fresh = new LatestLetter(actor, key, new Content(message, 0));
            Insertion insertion = new Insertion(fresh);
            LatestLetter there = null;
            try {
                there = letters.computeIfAbsent(key, insertion);
            } finally {
                insertion.end(there == fresh); // even if the map has thrown: the letter may be in the mailbox
            }
            if (there == null || there == fresh) {
                return insertion.result;
            }
        }
    }

    /** Makes {@code message} the message that waits for {@code key}; returns false if no message waits for the key. */
    static boolean replace(ActorBase actor, Object key, Object message) {
        return replace(actor.latest(), key, message);
    }

    private static boolean replace(ConcurrentHashMap<Object, LatestLetter> letters, Object key, Object message) {
        LatestLetter waiting = letters.get(key);
        if (waiting == null) {
            return false;
        }
        if (waiting.replace(message)) {
            return true;
        }
        boolean unused = letters.remove(key, waiting);
        return false;
    }

    /** The insertion of a letter into the map, which pushes it into the mailbox. */
    private static final class Insertion implements Function<Object, @Nullable LatestLetter> {
        private final LatestLetter letter;
        private Mailbox.Push result = Mailbox.Push.FULL;

        Insertion(LatestLetter letter) {
            this.letter = letter;
        }

        @Override
        public @Nullable LatestLetter apply(Object key) {
            result = letter.actor.offerQuietly(letter);
            return result == Mailbox.Push.QUEUED || result == Mailbox.Push.FIRST ? letter : null;
        }

        private void end(boolean inserted) {
            result = letter.actor.called(result);
            if (inserted) {
                letter.mapped = true; // before the read of `content` (LatestLetter-2)
                if (letter.content == null) {
                    letter.forget();
                }
            }
        }
    }

    private void forget() {
        try {
            boolean unused = actor.latest().remove(key, this);
        } catch (Throwable t) { // thrown by the key
            actor.group().report(actor, null, t);
        }
    }

    private boolean replace(Object message) {
        for (; ; ) {
            Content old = content;
            if (old == null) {
                return false;
            }
            if (CONTENT.compareAndSet(this, old, new Content(message, old.replaced + 1))) {
                return true;
            }
        }
    }

    @Override
    public @Nullable Object peek() {
        Content last = content;
        return last == null ? null : last.message;
    }

    @Override
    public @Nullable Object take() {
        Content last = (Content) CONTENT.getAndSet(this, null); // before the read of `mapped` (LatestLetter-2)
        if (mapped) {
            forget();
        }
        if (last == null) {
            return null;
        }
        if (last.replaced != 0) {
            actor.countSuperseded(last.replaced);
        }
        return last.message;
    }
}
