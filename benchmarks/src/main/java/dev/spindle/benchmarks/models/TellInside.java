// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;

/** A million messages from one member to another, 256 in each turn of the sender. */
final class TellInside implements Subject {
    private static final int MESSAGES = 1_000_000;
    private static final int A_TURN = 256;
    private static final Object GO = "go on";

    private final Crowd crowd;
    private final Numbered numbered = new Numbered(1);
    private final Crowd.Member receiver;
    private final Crowd.Member sender;
    private final int messages;
    private int sent; // goes from hand to hand with the message to go on

    TellInside(Crowd.Maker maker, int threads, Scale scale) {
        messages = scale.of(MESSAGES, 1_000);
        crowd = maker.of(2, threads);
        receiver = crowd.member(numbered);
        sender = crowd.member((go, turn) -> tellSome(turn));
    }

    private void tellSome(Crowd.Turn turn) {
        Numbered.Source source = numbered.source(0);
        int end = Math.min(messages, sent + A_TURN);
        for (int i = sent; i < end; i++) {
            turn.tell(receiver, source.message(i));
        }
        sent = end;
        if (end < messages) {
            turn.tell(sender, GO);
        }
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        numbered.expect(messages);
        sent = 0;
        recorder.begin();
        sender.send(GO);
        long misplaced = numbered.await();
        recorder.value(ModelsComparison.MESSAGE, (double) recorder.end(messages) / messages);
        recorder.violations(misplaced);
    }

    @Override
    public void close() {
        crowd.close();
    }
}
