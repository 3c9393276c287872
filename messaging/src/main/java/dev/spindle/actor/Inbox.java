// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import org.jspecify.annotations.Nullable;

/**
 * The owner's side of a mailbox: the letters that were taken from it and wait in one of its two lanes, and what else
 * the owner reads or writes for each message. An object of its own, since senders write the cache line of the mailbox's
 * word all the time. For the owner alone unless stated otherwise; handed on with the mailbox.
 */
final class Inbox {
    /** The letter up to which all were taken. */
    Letter seen;

    /** The number of the last request that has left the request lane. */
    int passed;

    /** The number of the request after which senders are told what has passed. */
    int publishAt;

    /** While code of the user runs. Read by others as well: who finds itself there has written it, else racy. */
    @Nullable
    Thread turnOf;

    /** What the actor has told and finds no room. Written by the owner, read by all. */
    volatile @Nullable Outbox outbox;

    private @Nullable Letter firstRequest;
    private @Nullable Letter lastRequest;
    private @Nullable Letter firstReply;
    private @Nullable Letter lastReply;

    /** Creates the owner's side of an empty mailbox with that word. */
    Inbox(Letter word) {
        seen = word;
    }

    /** Takes what was pushed since the last look, up to {@code top}; false when there was nothing. */
    boolean take(Letter top) {
        if (top == seen) {
            return false;
        }
        Letter next = null;
        for (Letter letter = top; letter != null && letter != seen; ) {
            Letter older = letter.older;
            letter.older = next;
            next = letter;
            letter = older;
        }
        seen = top;
        while (next != null) {
            Letter letter = next;
            next = letter.older;
            letter.older = null;
            append(letter);
        }
        return true;
    }

    private void append(Letter letter) {
        if (letter.isSignal()) {
            if (lastReply == null) {
                firstReply = letter;
            } else {
                lastReply.older = letter;
            }
            lastReply = letter;
        } else {
            if (lastRequest == null) {
                firstRequest = letter;
            } else {
                lastRequest.older = letter;
            }
            lastRequest = letter;
        }
    }

    boolean hasRequests() {
        return firstRequest != null;
    }

    /** Removes and returns the first request, or null. */
    @Nullable
    Letter pollRequest() {
        Letter first = firstRequest;
        if (first == null) {
            return null;
        }
        firstRequest = first.older;
        if (firstRequest == null) {
            lastRequest = null;
        }
        first.older = null;
        passed = first.number;
        return first;
    }

    /** Removes and returns the first signal, or null. */
    Letter.@Nullable Signal pollReply() {
        Letter first = firstReply;
        if (first == null) {
            return null;
        }
        firstReply = first.older;
        if (firstReply == null) {
            lastReply = null;
        }
        first.older = null;
        return (Letter.Signal) first;
    }

    /** Returns whether senders have to be told what has passed. */
    boolean isBehind() {
        return passed - publishAt >= 0;
    }

    /** Returns whether nothing that the actor has told waits for room. */
    boolean isFlushed() {
        Outbox own = outbox;
        return own == null || own.isEmpty();
    }
}
