// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.serial;

import dev.spindle.benchmarks.compare.PassSize;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.forks.StalledException;
import dev.spindle.benchmarks.peers.SerialExecutors;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Two serial executors that hand one token to and fro. All fields but the latch go from hand to hand with the token.
 */
final class PingPong implements Subject {
    private static final int PATIENCE_SECONDS = 30;

    private final SerialExecutors serial;
    private final Executor first;
    private final Executor second;
    private final PassSize trips = new PassSize(1_000, 2_000_000);
    private final Runnable ping = this::ping;
    private final Runnable pong = this::pong;
    private CountDownLatch done = new CountDownLatch(1);
    private boolean away;
    private int left;
    private long wrong;

    PingPong(SerialExecutors serial) {
        this.serial = serial;
        first = serial.executors().get(0);
        second = serial.executors().get(1);
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        int size = trips.size();
        CountDownLatch latch = new CountDownLatch(1);
        done = latch;
        left = size;
        wrong = 0;
        recorder.begin();
        first.execute(ping);
        if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new StalledException(size + " round trips had not ended after " + PATIENCE_SECONDS + " s");
        }
        long nanos = recorder.end(size);
        trips.took(nanos);
        recorder.value(SerialComparison.ROUND_TRIP, (double) nanos / size);
        recorder.violations(wrong);
    }

    private void ping() {
        wrong += away ? 1 : 0;
        away = true;
        second.execute(pong);
    }

    private void pong() {
        wrong += away ? 0 : 1;
        away = false;
        if (--left == 0) {
            done.countDown();
        } else {
            first.execute(ping);
        }
    }

    @Override
    public void close() {
        serial.close();
    }
}
