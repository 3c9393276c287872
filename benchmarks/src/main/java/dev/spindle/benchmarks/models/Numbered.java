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
    private static final int STRIDE = 16; // ints: a cache line
    private static final int LEFT = STRIDE;
    private static final int MISPLACED = LEFT + 1;
    private static final int NEXT = 2 * STRIDE;

    private final Source[] sources;

    /**
     * What the member writes for each message: how many are left and were misplaced, and which is next of each sender.
     * On cache lines that no sender reads, or the processors would send each other those.
     */
    private final int[] tally;

    private CountDownLatch done = new CountDownLatch(0);

    private record Message(int sender, int number) {}

    /** The messages of one sender. */
    static final class Source {
        private final Message[] messages = new Message[NUMBERS];

        private Source(int sender) {
            for (int number = 0; number < NUMBERS; number++) {
                messages[number] = new Message(sender, number);
            }
        }

        /** Returns the message that comes at the place {@code index}. */
        Object message(int index) {
            return messages[index & (NUMBERS - 1)];
        }
    }

    Numbered(int senders) {
        sources = new Source[senders];
        for (int sender = 0; sender < senders; sender++) {
            sources[sender] = new Source(sender);
        }
        tally = new int[NEXT + senders * STRIDE];
    }

    Source source(int sender) {
        return sources[sender];
    }

    /** Expects so many messages from now on; before the first is sent. */
    void expect(int count) {
        Arrays.fill(tally, 0);
        tally[LEFT] = count;
        done = new CountDownLatch(1);
    }

    @Override
    public void receive(Object any, Crowd.Turn turn) {
        Message message = (Message) any;
        int at = NEXT + message.sender * STRIDE;
        int expected = tally[at];
        if (message.number != expected) {
            tally[MISPLACED]++;
        }
        tally[at] = (expected + 1) & (NUMBERS - 1);
        if (--tally[LEFT] == 0) {
            done.countDown();
        }
    }

    /** Waits until all have come; returns how many came out of order, or in place of another. */
    long await() throws InterruptedException {
        if (!done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new StalledException("not all messages had come after " + PATIENCE_SECONDS + " s");
        }
        return tally[MISPLACED];
    }
}
