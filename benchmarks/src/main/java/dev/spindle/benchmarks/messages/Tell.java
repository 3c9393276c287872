// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Producers;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.compare.Waits;
import dev.spindle.benchmarks.measure.UsedHeap;

/** A million messages to one member: from threads, from another member, or until they are on the heap. */
abstract class Tell implements Subject {
    static final Figure MESSAGE = Figure.less("ns_per_message", "ns/message");
    static final Figure HELD = Figure.less("held_mib", "heap held by messages, MiB");

    private static final int MESSAGES = 1_000_000;
    private static final int A_TURN = 256;
    private static final double MEBIBYTE = 1 << 20;
    private static final double LEAST = 0.01; // a smaller value is noise
    private static final Object GO = "go on";

    final Numbered numbered;
    final int share;
    private final Crowd crowd;
    private final int all;

    private Tell(Crowd crowd, int senders, Scale scale) {
        this.crowd = crowd;
        share = scale.of(MESSAGES, 1_000) / senders;
        all = share * senders;
        numbered = new Numbered(senders);
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        numbered.expect(all);
        recorder.begin();
        start();
        long misplaced = numbered.await();
        recorder.end(all, MESSAGE);
        recorder.violations(misplaced);
    }

    abstract void start() throws InterruptedException;

    @Override
    public void close() {
        crowd.close();
    }

    /** Sends from a number of threads. */
    static Subject fromThreads(Crowd.Maker maker, int senders, int threads, Scale scale) {
        Crowd crowd = maker.of(1, threads);
        return new Tell(crowd, senders, scale) {
            private final Crowd.Member receiver = crowd.member(numbered);
            private final Producers producers = new Producers(senders);

            @Override
            void start() {
                producers.start(sender -> Waits.ignoring(() -> numbered.send(sender, share, receiver)));
            }

            @Override
            public void close() {
                producers.close();
                super.close();
            }
        };
    }

    /** Sends from another member, 256 messages in each of its turns. */
    static Subject inside(Crowd.Maker maker, int threads, Scale scale) {
        Crowd crowd = maker.of(2, threads);
        return new Tell(crowd, 1, scale) {
            private final Crowd.Member receiver = crowd.member(numbered);
            private final Crowd.Member sender = crowd.member((go, turn) -> tellSome(turn));
            private int sent; // passed from turn to turn with the message to continue

            private void tellSome(Crowd.Turn turn) {
                int from = sent;
                sent = Math.min(share, from + A_TURN);
                numbered.tell(from, sent, receiver, turn);
                if (sent < share) {
                    turn.tell(sender, GO);
                }
            }

            @Override
            void start() throws InterruptedException {
                sent = 0;
                sender.send(GO);
            }
        };
    }

    /** Sends from one thread, to measure the heap that the messages use when the last was sent. */
    static Subject backlog(Crowd.Maker maker, int threads, Scale scale) {
        Crowd crowd = maker.of(1, threads);
        return new Tell(crowd, 1, scale) {
            private final Crowd.Member receiver = crowd.member(numbered);
            private double held;

            @Override
            public void pass(Recorder recorder) throws InterruptedException {
                super.pass(recorder);
                recorder.value(HELD, held);
            }

            @Override
            void start() throws InterruptedException {
                long before = UsedHeap.leftByCollection();
                numbered.send(0, share, receiver);
                double after = UsedHeap.leftByCollection(); // no thread allocates now
                held = Math.max(LEAST, (after - before) / MEBIBYTE);
            }
        };
    }
}
