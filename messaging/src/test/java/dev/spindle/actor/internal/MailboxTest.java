// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Mailboxes and cycles of mailboxes, step by step on one thread. */
class MailboxTest {
    private static final int CAPACITY = 4;

    private final List<String> granted = new ArrayList<>();

    private final class Box extends Mailbox implements MailboxCycles.Node {
        private volatile @Nullable Waiter edge;

        Box() {
            for (int i = 0; i < CAPACITY; i++) {
                assertThat(offer(new Letter("full"))).isEqualTo(Push.QUEUED);
            }
        }

        @Override
        protected int capacity() {
            return CAPACITY;
        }

        @Override
        protected void ready() {}

        @Override
        public void run() {}

        @Override
        public @Nullable Waiter edge() {
            return edge;
        }

        @Override
        public void publish(Waiter wait) {
            edge = wait;
        }

        /** Takes one request, as the owner does. */
        void take() {
            boolean unused = intake();
            assertThat(pollRequest()).isNotNull();
        }

        Waiter await(Object by) {
            Waiter waiter = new Waiter(this, new Letter(by), 0) {
                @Override
                public void granted() {
                    granted.add(by.toString());
                }

                @Override
                public void refused() {}

                @Override
                public Object from() {
                    return by;
                }
            };
            await(waiter);
            return waiter;
        }
    }

    @Test
    void offer_whileASenderWaitsAndThereIsRoom_isRefused() {
        Box box = new Box();
        box.batch(true); // so that the first free place is not given away at once
        box.await("first");
        box.take();
        assertThat(granted).isEmpty();
        assertThat(box.offer(new Letter("late"))).isEqualTo(Mailbox.Push.FULL);
        box.batch(false);

        assertThat(granted).containsExactly("first");
    }

    @Test
    void publish_edgeToACycleOfOthers_endsAndFindsNone() {
        Box one = new Box();
        Box other = new Box();
        Box outside = new Box();
        one.publish(other.await("one"));
        other.publish(one.await("other"));
        Waiter edge = one.await("outside");

        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThat(MailboxCycles.publish(outside, edge)).isEmpty());
    }
}
