// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.compare.Subject.PassSize;
import dev.spindle.benchmarks.compare.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/**
 * Pairs of members that send balls back and forth, with a fixed number of balls per pair. The balls of a pair return in
 * the order in which they were sent.
 */
final class PingPong implements Subject {
    static final Figure ROUND_TRIP = Figure.less("ns_per_round_trip", "ns/round trip");

    private static final Object SERVE = "serve";
    private static final int LINE = 8; // a cache line, in longs

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
        CountDownLatch latch = new CountDownLatch(pairs.size());
        done = latch;
        recorder.begin();
        for (Pair pair : pairs) {
            pair.begin(trips.size());
        }
        Waits.await(latch, "not all pairs had ended");
        long all = pairs.stream().mapToLong(pair -> pair.trips).sum();
        trips.took(recorder.end(all, ROUND_TRIP));
        pairs.forEach(pair -> recorder.violations(pair.wrong + Math.abs(pair.echoes[LINE] - pair.trips)));
    }

    @Override
    public void close() {
        crowd.close();
    }

    /**
     * A pair of members. Turns of the first member use all fields except {@code echoes}. Between passes the main thread
     * uses all fields.
     */
    private final class Pair {
        private final Integer[] balls;
        private final Crowd.Member first = crowd.member(this::back);
        private final Crowd.Member second = crowd.member(this::echo);
        private final long[] echoes = new long[3 * LINE]; // written by the second member, on its own cache line
        private int left;
        private int home;
        private int next;
        private long trips;
        private long wrong;

        Pair(int count) {
            balls = IntStream.range(0, count).boxed().toArray(Integer[]::new);
        }

        /** Starts all balls, which make {@code count} trips in total, but at least one each. */
        void begin(int count) throws InterruptedException {
            left = Math.max(0, count - balls.length);
            trips = (long) left + balls.length;
            home = 0;
            next = 0;
            wrong = 0;
            echoes[LINE] = 0;
            first.send(SERVE); // one turn sends all balls, in order
        }

        private void echo(Object ball, Crowd.Turn turn) {
            echoes[LINE]++;
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
