// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import dev.spindle.benchmarks.forks.StalledException;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Messages with numbers, made beforehand and used again and again, and the member that checks them. */
final class Numbered implements Crowd.Behaviour {
    private static final int PATIENCE_SECONDS = 30;
    private static final int NUMBERS = 4_096; // more than may be under way of one sender where there is a bound
    private static final int STRIDE = 16; // ints, so that no two senders share a cache line

    private final Message[][] messages;
    private final int[] next;
    private int left;
    private long misplaced;
    private CountDownLatch done = new CountDownLatch(0);

    private record Message(int sender, int number) {}

    Numbered(int senders) {
        messages = new Message[senders][NUMBERS];
        next = new int[senders * STRIDE];
        for (int sender = 0; sender < senders; sender++) {
            for (int number = 0; number < NUMBERS; number++) {
                messages[sender][number] = new Message(sender, number);
            }
        }
    }

    /** Returns the message of {@code sender} that comes at the place {@code index}. */
    Object message(int sender, int index) {
        return messages[sender][index & (NUMBERS - 1)];
    }

    /** Expects so many messages from now on; before the first is sent. */
    void expect(int count) {
        left = count;
        misplaced = 0;
        Arrays.fill(next, 0);
        done = new CountDownLatch(1);
    }

    @Override
    public void receive(Object any, Crowd.Turn turn) {
        Message message = (Message) any;
        int at = message.sender * STRIDE;
        int expected = next[at];
        if (message.number != expected) {
            misplaced++;
        }
        next[at] = (expected + 1) & (NUMBERS - 1);
        if (--left == 0) {
            done.countDown();
        }
    }

    /** Waits until all have come; returns how many came out of order, or in place of another. */
    long await() throws InterruptedException {
        if (!done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new StalledException("not all messages had come after " + PATIENCE_SECONDS + " s");
        }
        return misplaced;
    }
}
