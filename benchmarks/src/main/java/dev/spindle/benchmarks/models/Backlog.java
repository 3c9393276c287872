// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.forks.UsedHeap;

/** What the messages hold that a sender is ahead of the receiver: the heap when it has sent a million. */
final class Backlog implements Subject {
    private static final int MESSAGES = 1_000_000;
    private static final double MEBIBYTE = 1 << 20;
    private static final double LEAST = 0.01; // below it is noise

    private final Crowd crowd;
    private final Numbered numbered = new Numbered(1);
    private final Crowd.Member receiver;
    private final int messages;

    Backlog(Crowd.Maker maker, int threads, Scale scale) {
        messages = scale.of(MESSAGES, 1_000);
        crowd = maker.of(1, threads);
        receiver = crowd.member(numbered);
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        Numbered.Source source = numbered.source(0);
        numbered.expect(messages);
        long before = UsedHeap.leftByCollection();
        recorder.begin();
        for (int i = 0; i < messages; i++) {
            receiver.send(source.message(i));
        }
        double after = UsedHeap.leftByCollection(); // nothing goes on meanwhile
        recorder.violations(numbered.await());
        long unused = recorder.end(messages);
        recorder.value(ModelsComparison.HELD, Math.max(LEAST, (after - before) / MEBIBYTE));
    }

    @Override
    public void close() {
        crowd.close();
    }
}
