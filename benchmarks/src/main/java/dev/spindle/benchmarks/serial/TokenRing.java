// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.serial;

import dev.spindle.benchmarks.compare.PassSize;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.forks.StalledException;
import dev.spindle.benchmarks.peers.SerialExecutors;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Tokens that go round a ring of serial executors. Each executor has one that feeds it, so what comes over a link comes
 * in the order in which it was sent: each hop carries its number, and the arrays of numbers belong to the executor that
 * they are of.
 */
final class TokenRing implements Subject {
    static final int EXECUTORS = 1_000;
    private static final int STRIDE = 16; // ints, so that no two executors share a cache line
    private static final int FROM_OUTSIDE = -1;
    private static final int PATIENCE_SECONDS = 30;

    private final SerialExecutors serial;
    private final Executor[] ring;
    private final List<Token> tokens = new ArrayList<>();
    private final PassSize hops;
    private final int[] sent = new int[EXECUTORS * STRIDE];
    private final int[] received = new int[EXECUTORS * STRIDE];
    private final long[] wrong = new long[EXECUTORS * STRIDE];
    private CountDownLatch done = new CountDownLatch(0);

    TokenRing(SerialExecutors serial, int count) {
        this.serial = serial;
        ring = serial.executors().toArray(Executor[]::new);
        hops = new PassSize(10_000 / count, 20_000_000 / count);
        for (int i = 0; i < count; i++) {
            tokens.add(new Token(i * EXECUTORS / count));
        }
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        int each = hops.size();
        CountDownLatch latch = new CountDownLatch(tokens.size());
        done = latch;
        recorder.begin();
        for (Token token : tokens) {
            token.left = each;
            token.number = FROM_OUTSIDE;
            ring[token.at].execute(token);
        }
        if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new StalledException(latch.getCount() + " of " + tokens.size() + " tokens were under way after "
                    + PATIENCE_SECONDS + " s");
        }
        long total = (long) each * tokens.size();
        long nanos = recorder.end(total);
        hops.took(nanos);
        recorder.value(SerialComparison.HOP, (double) nanos / total);
        recorder.violations(takeViolations());
    }

    /** All that a token hands on goes with it: only the executor that has it reads and writes its fields. */
    private final class Token implements Runnable {
        private int at;
        private int left;
        private int number = FROM_OUTSIDE;

        Token(int at) {
            this.at = at;
        }

        @Override
        public void run() {
            int slot = at * STRIDE;
            if (number != FROM_OUTSIDE && received[slot]++ != number) {
                wrong[slot]++;
            }
            if (left == 0) {
                done.countDown();
                return;
            }
            left--;
            number = sent[slot]++;
            at = at + 1 == EXECUTORS ? 0 : at + 1;
            ring[at].execute(this);
        }
    }

    /** Since the last call; between passes nothing runs. */
    private long takeViolations() {
        long sum = 0;
        for (int executor = 0; executor < EXECUTORS; executor++) {
            sum += wrong[executor * STRIDE];
            wrong[executor * STRIDE] = 0;
        }
        return sum;
    }

    @Override
    public void close() {
        serial.close();
    }
}
