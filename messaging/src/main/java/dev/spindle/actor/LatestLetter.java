// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A request whose message may be replaced by a newer one of the same key until the actor takes it. */
final class LatestLetter extends Letter {
    /*
     * `content` goes from a content to a newer one (replace), and to null for good: when the owner takes it, or when
     * the mailbox refused the letter and nobody has replaced the content since (retract). A letter is in the map
     * before it is in the mailbox; from then on others replace its content, and count on whoever made it to push it:
     * if there is no room, but the content was replaced meanwhile, the letter is let in over the bound. That is at
     * most one letter for each thread that offers at the time.
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
            LatestLetter waiting = letters.get(key);
            if (waiting == null) {
                LatestLetter fresh = new LatestLetter(actor, key, content);
                waiting = letters.putIfAbsent(key, fresh);
                if (waiting == null) {
                    return fresh.push(content);
                }
            }
            if (waiting.replace(content)) {
                return Mailbox.Push.QUEUED;
            }
            boolean unused = letters.remove(key, waiting);
        }
    }

    private Mailbox.Push push(Content first) {
        Mailbox.Push push = Mailbox.Push.FULL;
        try {
            push = actor.offer(this);
        } finally {
            if (push != Mailbox.Push.QUEUED) {
                if (CONTENT.compareAndSet(this, first, null)) {
                    boolean unused = actor.latest().remove(key, this);
                } else {
                    push = Mailbox.Push.QUEUED; // the newer one was accepted, and this one superseded
                    if (!actor.force(this)) {
                        actor.drop(this);
                    }
                }
            }
        }
        return push;
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
        Content last = (Content) CONTENT.getAndSet(this, null);
        try {
            boolean unused = actor.latest().remove(key, this);
        } catch (Throwable t) { // key code
            actor.group().report(actor, t);
        }
        return last == null ? null : last.message;
    }
}
