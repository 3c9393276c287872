// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import dev.spindle.benchmarks.compare.Producers;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.forks.Interruptions;

/** A million messages in total from some threads to one member. */
final class Tell implements Subject {
    private static final int MESSAGES = 1_000_000;

    private final Crowd crowd;
    private final Producers producers;
    private final Numbered numbered;
    private final Crowd.Member receiver;
    private final int senders;
    private final int share;

    Tell(Crowd.Maker maker, int senders, int threads, Scale scale) {
        this.senders = senders;
        share = scale.of(MESSAGES, 1_000) / senders;
        numbered = new Numbered(senders);
        crowd = maker.of(1, threads);
        receiver = crowd.member(numbered);
        producers = new Producers(senders);
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        int all = share * senders;
        numbered.expect(all);
        recorder.begin();
        producers.start(sender -> Interruptions.ignoring(() -> {
            Numbered.Source source = numbered.source(sender);
            for (int i = 0; i < share; i++) {
                receiver.send(source.message(i));
            }
        }));
        long misplaced = numbered.await();
        recorder.value(ModelsComparison.MESSAGE, (double) recorder.end(all) / all);
        recorder.violations(misplaced);
    }

    @Override
    public void close() {
        producers.close();
        crowd.close();
    }
}
