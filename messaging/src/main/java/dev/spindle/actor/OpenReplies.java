// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import org.jspecify.annotations.Nullable;

/**
 * The answers and results that an actor awaits. At most {@link #LIMIT} of them are open; further asks wait in the
 * outbox. For the owner of the actor only.
 */
final class OpenReplies<M> {
    /** The maximum number of open answers and results. Not measured. */
    static final int LIMIT = 1_024;

    private final ActorBase actor;
    private int open;
    private boolean closed;
    private @Nullable OpenReply<M, ?> first; // the list of replies that have not arrived, also of asks in the outbox

    OpenReplies(ActorBase actor) {
        this.actor = actor;
    }

    ActorBase actor() {
        return actor;
    }

    boolean hasRoom() {
        return open < LIMIT || closed; // R2
    }

    boolean isClosed() {
        return closed;
    }

    /** Throws an exception if no reply may be opened. */
    void requireRoom(Object what) {
        if (!hasRoom()) {
            throw new IllegalStateException("actor " + actor.name() + " waits for " + open
                    + " replies and cannot wait for that of " + what + "; wait for some of them first");
        }
    }

    void add(OpenReply<M, ?> reply) {
        OpenReply<M, ?> second = first;
        reply.next = second;
        if (second != null) {
            second.previous = reply;
        }
        first = reply;
    }

    void count(int change) {
        open += change;
    }

    void remove(OpenReply<M, ?> reply) {
        OpenReply<M, ?> before = reply.previous;
        OpenReply<M, ?> after = reply.next;
        if (before != null) {
            before.next = after;
        } else if (first == reply) {
            first = after;
        }
        if (after != null) {
            after.previous = before;
        }
        reply.previous = null;
        reply.next = null;
    }

    /** Ends all replies at the end of the actor. They then no longer refer to the actor. */
    void close() {
        closed = true;
        for (OpenReply<M, ?> reply = first; reply != null; ) {
            OpenReply<M, ?> next = reply.next;
            remove(reply);
            reply.end();
            reply = next;
        }
    }
}
