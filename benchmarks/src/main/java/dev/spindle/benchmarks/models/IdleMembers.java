// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.forks.Interruptions;
import dev.spindle.benchmarks.forks.StalledException;
import dev.spindle.benchmarks.forks.UsedHeap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A hundred thousand members that have handled a message each, and then have nothing to do. */
final class IdleMembers implements Subject {
    private static final int MEMBERS = 100_000;
    private static final int SETTLE_MILLIS = 1_000;
    private static final int MILLIS = 5_000;
    private static final int PATIENCE_SECONDS = 30;

    private final Crowd.Maker maker;
    private final int threads;
    private final Scale scale;
    private final Crowd.Member[] members;
    private Crowd crowd;

    IdleMembers(Crowd.Maker maker, int threads, Scale scale) {
        this.maker = maker;
        this.threads = threads;
        this.scale = scale;
        members = new Crowd.Member[scale.of(MEMBERS, 1_000)];
        crowd = maker.of(1, threads);
        CountDownLatch first = new CountDownLatch(1);
        Interruptions.ignoring(() -> {
            crowd.member((message, turn) -> first.countDown()).send("hello"); // its threads and classes are there
            first.await();
        });
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        CountDownLatch handled = new CountDownLatch(members.length);
        Crowd.Behaviour behaviour = (message, turn) -> handled.countDown();
        crowd.close();
        crowd = maker.of(members.length, threads);
        long before = UsedHeap.afterCollection();
        for (int i = 0; i < members.length; i++) {
            members[i] = crowd.member(behaviour);
            members[i].send("hello");
        }
        if (!handled.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new StalledException(
                    handled.getCount() + " members had handled nothing after " + PATIENCE_SECONDS + " s");
        }
        Thread.sleep(scale.of(SETTLE_MILLIS, 1));
        double bytes = UsedHeap.afterCollection() - before;
        recorder.value(ModelsComparison.BYTES, Math.max(0, bytes / members.length));
        double switches = recorder.contenderSwitches();
        long begin = System.nanoTime();
        Thread.sleep(scale.of(MILLIS, 1));
        double seconds = (System.nanoTime() - begin) / 1e9;
        recorder.value(ModelsComparison.WAKE_UPS, Math.max(0, recorder.contenderSwitches() - switches) / seconds);
    }

    @Override
    public void close() {
        crowd.close();
    }
}
