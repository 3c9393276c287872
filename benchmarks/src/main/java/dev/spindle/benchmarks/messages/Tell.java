// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.OwnProcess;
import dev.spindle.benchmarks.compare.Producers;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.compare.Waits;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;

/**
 * Sends a million numbered messages to one member, from threads or from another member. The messages are created once
 * and sent repeatedly.
 */
final class Tell implements Subject {
    static final Figure MESSAGE = Figure.less("ns_per_message", "ns/message");
    static final Figure HELD = Figure.less("held_mib", "heap held by messages, MiB");
    private static final int MESSAGES = 1_000_000;
    private static final int NUMBERS = 4_096; // more than the capacity of a mailbox
    private static final int A_TURN = 256;
    private static final int STRIDE = 16; // a cache line, in ints
    private static final int LEFT = STRIDE;
    private static final int MISPLACED = LEFT + 1;
    private static final int NEXT = 2 * STRIDE;
    private static final double MEBIBYTE = 1 << 20;
    private static final double LEAST = 0.01; // smaller values are noise
    private static final Object GO = "go on";
    private final Crowd crowd;
    private final Crowd.Member receiver;
    private final Message[][] messages;
    private final int share;
    /**
     * The receiver's counts: the messages left, the messages out of order, and the next number of each sender on a
     * cache line of its own.
     */
    private final int[] tally;

    private CountDownLatch done = new CountDownLatch(0);
    private Start start = recorder -> {};
    private Runnable ending = () -> {};

    private record Message(int sender, int number) {}

    private interface Start {
        void begin(Recorder recorder) throws InterruptedException;
    }

    private Tell(Crowd crowd, int senders, Scale scale) {
        this.crowd = crowd;
        receiver = crowd.member(this::receive);
        share = scale.of(MESSAGES, 1_000) / senders;
        messages = new Message[senders][NUMBERS];
        for (int sender = 0; sender < senders; sender++) {
            int own = sender;
            Arrays.setAll(messages[sender], number -> new Message(own, number));
        }
        tally = new int[NEXT + senders * STRIDE];
    }

    static Subject fromThreads(Crowd.Maker maker, int senders, int threads, Scale scale) {
        Tell tell = new Tell(maker.of(1, threads), senders, scale);
        Producers producers = new Producers(senders);
        tell.start = recorder -> producers.start(sender -> Waits.ignoring(() -> tell.send(sender)));
        tell.ending = producers::close;
        return tell;
    }

    /** Sends from another member, up to 256 messages in each of its turns. */
    static Subject inside(Crowd.Maker maker, int threads, Scale scale) {
        Tell tell = new Tell(maker.of(2, threads), 1, scale);
        Message[] own = tell.messages[0];
        int[] sent = new int[1]; // used by the sender's turns
        Crowd.Member[] sender = new Crowd.Member[1];
        sender[0] = tell.crowd.member((go, turn) -> {
            int to = Math.min(tell.share, sent[0] + A_TURN);
            for (int i = sent[0]; i < to; i++) {
                turn.tell(tell.receiver, own[i & (NUMBERS - 1)]);
            }
            sent[0] = to;
            if (to < tell.share) {
                turn.tell(sender[0], GO);
            }
        });
        tell.start = recorder -> {
            sent[0] = 0;
            sender[0].send(GO);
        };
        return tell;
    }

    /** Sends from one thread, and measures the growth of the used heap until after the last message was sent. */
    static Subject backlog(Crowd.Maker maker, int threads, Scale scale) {
        Tell tell = new Tell(maker.of(1, threads), 1, scale);
        tell.start = recorder -> {
            long before = OwnProcess.leftByCollection();
            tell.send(0);
            double after = OwnProcess.leftByCollection(); // all messages have been sent
            recorder.value(HELD, Math.max(LEAST, (after - before) / MEBIBYTE));
        };
        return tell;
    }

    private void send(int sender) throws InterruptedException {
        Message[] own = messages[sender];
        for (int i = 0; i < share; i++) {
            receiver.send(own[i & (NUMBERS - 1)]);
        }
    }

    private void receive(Object any, Crowd.Turn turn) {
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

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        int all = share * messages.length;
        Arrays.fill(tally, 0);
        tally[LEFT] = all;
        done = new CountDownLatch(1);
        recorder.begin();
        start.begin(recorder);
        Waits.await(done, "not all messages had come");
        int misplaced = tally[MISPLACED]; // includes messages that were lost or duplicated
        recorder.end(all, MESSAGE);
        recorder.violations(misplaced);
    }

    @Override
    public void close() {
        ending.run();
        crowd.close();
    }
}
