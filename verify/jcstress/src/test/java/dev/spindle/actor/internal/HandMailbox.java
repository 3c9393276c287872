// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor.internal;

import org.jspecify.annotations.Nullable;

/**
 * A mailbox for one request, or as many as given, whose turns the actors run. It counts how often it was made ready.
 */
final class HandMailbox extends Mailbox implements MailboxCycles.Node {
    private final int capacity;
    volatile int calls;
    int handled;
    private volatile @Nullable Waiter edge;

    HandMailbox() {
        this(1);
    }

    HandMailbox(int capacity) {
        this.capacity = capacity;
    }

    /** Returns a full mailbox whose owner has been called. */
    static HandMailbox full(int capacity) {
        HandMailbox mailbox = new HandMailbox(capacity);
        for (int i = 0; i < capacity; i++) {
            Mailbox.Push unused = mailbox.offer(new Letter("request"));
        }
        return mailbox;
    }

    @Override
    protected int capacity() {
        return capacity;
    }

    @Override
    protected synchronized void ready() {
        calls++;
    }

    @Override
    public @Nullable Waiter edge() {
        return edge;
    }

    @Override
    public void publish(Waiter wait) {
        edge = wait;
    }

    /** Handles letters until the mailbox is idle. */
    @Override
    public void run() {
        do {
            boolean unused = intake();
            while (pollRequest() != null) {
                handled++;
            }
        } while (!becomeIdle());
    }

    /** Runs a turn for each time that it was made ready, except for the first {@code before}. */
    int runCalls(int before) {
        for (int i = before; i < calls; i++) {
            run();
        }
        return handled;
    }

    /** Waits for room in {@code target}; returns whether that closes a cycle. */
    boolean park(HandMailbox target) {
        Waiter wait = waiterFor(target);
        target.await(wait);
        return !MailboxCycles.publish(this, wait).isEmpty();
    }

    static Waiter waiterFor(Mailbox target) {
        return new Waiter(target, new Letter("waits"), 0) {
            @Override
            public void granted() {}

            @Override
            public void refused() {}

            @Override
            public Object from() {
                return "hand";
            }
        };
    }
}
