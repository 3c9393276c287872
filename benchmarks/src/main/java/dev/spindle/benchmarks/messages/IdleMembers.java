// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.OwnProcess;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.compare.ThreadCosts;
import dev.spindle.benchmarks.compare.Waits;
import java.util.concurrent.CountDownLatch;

/** Measures the memory and the wake-ups of up to 100,000 members that have handled one message each and are idle. */
final class IdleMembers {
    static final Figure BYTES = Figure.less("bytes_per_actor", "bytes/actor");
    static final Figure WAKE_UPS = Figure.less("wake_ups_per_s", "wake-ups/s while idle");

    private IdleMembers() {}

    static Subject of(Crowd.Maker maker, int threads, Subject.Scale scale) {
        Crowd.Member[] members = new Crowd.Member[scale.of(100_000, 1_000)];
        try (Crowd first = maker.of(1, threads)) {
            Waits.ignoring(() -> greet(first, members, 1)); // loads the classes
        }
        return Subject.of(
                recorder -> {
                    try (Crowd crowd = maker.of(members.length, threads)) {
                        long before = OwnProcess.afterCollection();
                        greet(crowd, members, members.length);
                        Thread.sleep(scale.of(1_000, 1));
                        double bytes = OwnProcess.afterCollection() - before;
                        recorder.value(BYTES, Math.max(0, bytes / members.length));
                        ThreadCosts earlier = ThreadCosts.before();
                        long begin = System.nanoTime();
                        Thread.sleep(scale.of(5_000, 1));
                        double seconds = (System.nanoTime() - begin) / 1e9;
                        recorder.value(
                                WAKE_UPS, recorder.contenderSince(earlier).voluntary() / seconds);
                    }
                },
                () -> {});
    }

    private static void greet(Crowd crowd, Crowd.Member[] members, int count) throws InterruptedException {
        CountDownLatch handled = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            members[i] = crowd.member((message, turn) -> handled.countDown());
            members[i].send("hello");
        }
        Waits.await(handled, "members had handled nothing");
    }
}
