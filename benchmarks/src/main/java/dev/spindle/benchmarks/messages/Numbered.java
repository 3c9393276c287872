// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.benchmarks.compare.Waits;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;

/**
 * The ledger of numbered messages of some senders. It creates the messages once, to be sent repeatedly, and checks
 * them.
 */
final class Numbered implements Crowd.Behaviour {
    private static final int NUMBERS = 4_096; // more than a bounded mailbox lets one sender have under way
    private static final int STRIDE = 16; // ints: a cache line
    private static final int LEFT = STRIDE;
    private static final int MISPLACED = LEFT + 1;
    private static final int NEXT = 2 * STRIDE;

    private final Message[][] messages;
    /**
     * Used by the receiver: the number of messages left, the number out of order, and the next number of each sender,
     * on a cache line each.
     */
    private final int[] tally;

    private CountDownLatch done = new CountDownLatch(0);

    private record Message(int sender, int number) {}

    Numbered(int senders) {
        messages = new Message[senders][NUMBERS];
        for (int sender = 0; sender < senders; sender++) {
            int own = sender;
            Arrays.setAll(messages[sender], number -> new Message(own, number));
        }
        tally = new int[NEXT + senders * STRIDE];
    }

    /** Sends a share of the messages of one sender. */
    void send(int sender, int share, Crowd.Member to) throws InterruptedException {
        Message[] own = messages[sender];
        for (int i = 0; i < share; i++) {
            to.send(own[i & (NUMBERS - 1)]);
        }
    }

    /** Sends the messages of sender 0 from one number up to another, exclusive. */
    void tell(int from, int to, Crowd.Member receiver, Crowd.Turn turn) {
        Message[] own = messages[0];
        for (int i = from; i < to; i++) {
            turn.tell(receiver, own[i & (NUMBERS - 1)]);
        }
    }

    /** Sets the number of expected messages; called before the first is sent. */
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

    /** Waits until all messages were received, and returns the number that was out of order or replaced another. */
    long await() throws InterruptedException {
        Waits.await(done, "not all messages had come");
        return tally[MISPLACED];
    }
}
