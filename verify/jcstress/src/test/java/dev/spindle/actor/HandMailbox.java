// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import org.jspecify.annotations.Nullable;

/** A mailbox for one request whose turns are run by hand, and that counts how often it was made ready. */
final class HandMailbox extends Mailbox implements MailboxCycles.Node {
    volatile int calls;
    int handled;
    private volatile @Nullable Waiter edge;

    @Override
    int capacity() {
        return 1;
    }

    @Override
    synchronized void ready() {
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

    /** Handles what is there, until the mailbox is idle. */
    @Override
    public void run() {
        do {
            boolean unused = intake();
            while (pollRequest() != null) {
                handled++;
            }
        } while (!becomeIdle());
    }

    /** Runs a turn for each time that it was made ready, save {@code before} that have been run. */
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
            void granted() {}

            @Override
            void refused() {}

            @Override
            Object from() {
                return "hand";
            }
        };
    }
}
