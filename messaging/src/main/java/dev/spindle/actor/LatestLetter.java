// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A request whose message may be replaced by a newer one of the same key until the actor takes it. */
final class LatestLetter extends Letter {
    /*
     * `content` goes from a content to a newer one (replace), and to null for good when the owner takes it.
     *
     * LatestLetter-1  A letter that an offer finds in the map is in the mailbox: it is pushed inside the insertion, and
     *                 the map shows it afterwards. So an offer that replaces its content may return, and what the same
     *                 sender sends next comes after it.
     * LatestLetter-2  A letter is out of the map once it was taken: the owner empties it and then reads `mapped`, the
     *                 sender writes `mapped` and then looks whether it is empty, and the one that sees the other
     *                 removes it. So the owner does not wait for an insertion that is under way.
     *
     * The bin of the map is locked during the push, which runs no code of users: the mailbox is made ready afterwards.
     */
    private record Content(Object message) {}

    private static final VarHandle CONTENT;

    static {
        try {
            CONTENT = MethodHandles.lookup().findVarHandle(LatestLetter.class, "content", Content.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ActorCell<?> actor;
    private final Object key;
    private volatile @Nullable Content content;
    private volatile boolean mapped;

    private LatestLetter(ActorCell<?> actor, Object key, Content content) {
        super(null);
        this.actor = actor;
        this.key = key;
        this.content = content;
    }

    /** Makes {@code message} the one that waits for {@code key}. */
    static Mailbox.Push offer(ActorCell<?> actor, Object key, Object message) {
        ConcurrentHashMap<Object, LatestLetter> letters = actor.latest();
        Content content = new Content(message);
        for (; ; ) {
            if (replace(letters, key, content)) {
                return Mailbox.Push.QUEUED;
            }
            LatestLetter fresh = new LatestLetter(actor, key, content);
            Insertion insertion = new Insertion(fresh);
            LatestLetter there = null;
            try {
                there = letters.computeIfAbsent(key, insertion);
            } finally {
                insertion.end(there == fresh); // even without memory for it: the letter may be in the mailbox
            }
            if (there == null || there == fresh) {
                return insertion.result;
            }
        }
    }

    /** Makes {@code message} the one that waits for {@code key}; false if none waits. */
    static boolean replace(ActorCell<?> actor, Object key, Object message) {
        return replace(actor.latest(), key, new Content(message));
    }

    private static boolean replace(ConcurrentHashMap<Object, LatestLetter> letters, Object key, Content content) {
        LatestLetter waiting = letters.get(key);
        if (waiting == null) {
            return false;
        }
        if (waiting.replace(content)) {
            return true;
        }
        boolean unused = letters.remove(key, waiting);
        return false;
    }

    /** The insertion of a letter into the map, and its push into the mailbox inside of that. */
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
                letter.mapped = true; // before the look at `content` (LatestLetter-2)
                if (letter.content == null) {
                    letter.forget();
                }
            }
        }
    }

    private void forget() {
        try {
            boolean unused = actor.latest().remove(key, this);
        } catch (Throwable t) { // key code
            actor.group().report(actor, null, t);
        }
    }

    private boolean replace(Content by) {
        for (; ; ) {
            Content old = content;
            if (old == null) {
                return false;
            }
            if (CONTENT.compareAndSet(this, old, by)) {
                actor.group().superseded();
                return true;
            }
        }
    }

    @Override
    @Nullable
    Object take() {
        Content last = (Content) CONTENT.getAndSet(this, null); // before the look at `mapped` (LatestLetter-2)
        if (mapped) {
            forget();
        }
        return last == null ? null : last.message;
    }
}
