// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.compare.Waits;
import dev.spindle.benchmarks.measure.ThreadCosts;
import dev.spindle.benchmarks.measure.UsedHeap;
import java.util.concurrent.CountDownLatch;

/** Measures the memory and the wake-ups of up to 100,000 members that have handled one message each and are idle. */
final class IdleMembers implements Subject {
    static final Figure BYTES = Figure.less("bytes_per_actor", "bytes/actor");
    static final Figure WAKE_UPS = Figure.less("wake_ups_per_s", "wake-ups/s while idle");
    private final Crowd.Maker maker;
    private final int threads;
    private final Scale scale;
    private final Crowd.Member[] members;
    private Crowd crowd;

    IdleMembers(Crowd.Maker maker, int threads, Scale scale) {
        this.maker = maker;
        this.threads = threads;
        this.scale = scale;
        members = new Crowd.Member[scale.of(100_000, 1_000)];
        crowd = maker.of(1, threads);
        Waits.ignoring(() -> greet(1)); // starts the threads and loads the classes
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        crowd.close();
        crowd = maker.of(members.length, threads);
        long before = UsedHeap.afterCollection();
        greet(members.length);
        Thread.sleep(scale.of(1_000, 1));
        double bytes = UsedHeap.afterCollection() - before;
        recorder.value(BYTES, Math.max(0, bytes / members.length));
        ThreadCosts earlier = ThreadCosts.before();
        long begin = System.nanoTime();
        Thread.sleep(scale.of(5_000, 1));
        double seconds = (System.nanoTime() - begin) / 1e9;
        recorder.value(WAKE_UPS, recorder.contenderSince(earlier).voluntary() / seconds);
    }

    private void greet(int count) throws InterruptedException {
        CountDownLatch handled = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            members[i] = crowd.member((message, turn) -> handled.countDown());
            members[i].send("hello");
        }
        Waits.await(handled, "members had handled nothing");
    }

    @Override
    public void close() {
        crowd.close();
    }
}
