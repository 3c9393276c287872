// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import dev.spindle.benchmarks.compare.PassSize;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.forks.StalledException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Pairs of members that hand balls to and fro, so many under way in each pair. Balls of a pair come back in the order
 * in which they left.
 */
final class PingPong implements Subject {
    private static final int PATIENCE_SECONDS = 30;
    private static final Object SERVE = "serve";

    private final Crowd crowd;
    private final List<Pair> pairs = new ArrayList<>();
    private final PassSize trips;
    private CountDownLatch done = new CountDownLatch(0);

    PingPong(Crowd.Maker maker, int pairs, int balls, int threads) {
        crowd = maker.of(2 * pairs, threads);
        for (int i = 0; i < pairs; i++) {
            this.pairs.add(new Pair(balls));
        }
        trips = new PassSize(Math.max(1, 1_000 / pairs), 2_000_000 / pairs);
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        int each = trips.size();
        CountDownLatch latch = new CountDownLatch(pairs.size());
        done = latch;
        recorder.begin();
        for (Pair pair : pairs) {
            pair.begin(each);
        }
        if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new StalledException(latch.getCount() + " pairs had not ended after " + PATIENCE_SECONDS + " s");
        }
        long all = 0;
        for (Pair pair : pairs) {
            all += pair.trips;
        }
        long nanos = recorder.end(all);
        trips.took(nanos);
        recorder.value(ModelsComparison.ROUND_TRIP, (double) nanos / all);
        for (Pair pair : pairs) {
            recorder.violations(pair.wrong + Math.abs(pair.echoes[ModelsComparison.CACHE_LINE] - pair.trips));
        }
    }

    @Override
    public void close() {
        crowd.close();
    }

    /** Two members; the fields but {@code echoes} are the first one's, and the main thread's between passes. */
    private final class Pair {
        private final Integer[] balls;
        private final Crowd.Member first;
        private final Crowd.Member second;
        private int left;
        private int home;
        private int next;
        private long trips;
        private long wrong;
        private final long[] echoes =
                new long[3 * ModelsComparison.CACHE_LINE]; // the second one's, on a cache line of its own

        Pair(int count) {
            balls = new Integer[count];
            Arrays.setAll(balls, ball -> ball);
            first = crowd.member(this::back);
            second = crowd.member(this::echo);
        }

        /** Serves all balls, which then make {@code count} trips together, or one each if those are more. */
        void begin(int count) throws InterruptedException {
            left = Math.max(0, count - balls.length);
            trips = (long) left + balls.length;
            home = 0;
            next = 0;
            wrong = 0;
            echoes[ModelsComparison.CACHE_LINE] = 0;
            first.send(SERVE); // all at once, so that none overtakes another
        }

        private void echo(Object ball, Crowd.Turn turn) {
            echoes[ModelsComparison.CACHE_LINE]++;
            turn.tell(first, ball);
        }

        private void back(Object ball, Crowd.Turn turn) {
            if (ball == SERVE) {
                for (Integer served : balls) {
                    turn.tell(second, served);
                }
                return;
            }
            wrong += (Integer) ball == next ? 0 : 1;
            next = next + 1 == balls.length ? 0 : next + 1;
            if (left > 0) {
                left--;
                turn.tell(second, ball);
            } else if (++home == balls.length) {
                done.countDown();
            }
        }
    }
}
