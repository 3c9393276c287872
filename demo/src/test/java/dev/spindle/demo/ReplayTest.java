// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class ReplayTest {

    private static final int FLIGHTS = 3000;

    static Stream<Contender> contenders() {
        return Stream.of(new SpindleContender(1), new SpindleContender(4), new StripedContender(), new OneThread());
    }

    @ParameterizedTest
    @MethodSource("contenders")
    void run_realFlights_endsLikeTheRunOnOneThread(Contender contender) throws Exception {
        Timeline timeline = Timeline.of(FlightSource.read(null, 2013, FLIGHTS).flights());
        RunResult reference = replay(timeline, new OneThread());

        RunResult run = replay(timeline, contender);

        assertThat(Verdict.of(run, reference).complaints()).isEmpty();
        assertThat(run.violations()).isZero();
        assertThat(run.failures()).isZero();
        assertThat(run.events()).isEqualTo(timeline.events().size());
        assertThat(run.states().stream().mapToInt(AircraftState::events).sum())
                .isEqualTo((int) timeline.events().stream()
                        .filter(event -> event.aircraft() != FlightEvent.NO_AIRCRAFT)
                        .count());
        assertThat(run.boardsDrawn()).isBetween(3L, run.boardsAsked());
    }

    @Test
    void run_stripes_usesSixteenThreadsAndDrawsEveryBoard() throws Exception {
        RunResult run = replay(Timeline.of(Rows.flights(Rows.many(500))), new StripedContender());

        assertThat(run.peakThreads()).isLessThanOrEqualTo(StripedContender.STRIPES);
        assertThat(run.boardsDrawn()).isEqualTo(run.boardsAsked()).isEqualTo(1000);
    }

    @Test
    void run_spindle_neverHasMoreThreadsThanTwoMoreThanItsCore() throws Exception {
        RunResult run = replay(Timeline.of(Rows.flights(Rows.many(500))), new SpindleContender(2));

        assertThat(run.peakThreads()).isBetween(1, 4);
    }

    @Test
    void run_contenderWithoutOrder_isFoundOut() throws Exception {
        Timeline timeline = Timeline.of(Rows.flights(Rows.many(500)));

        RunResult run = replay(timeline, new Reversing());

        Verdict verdict = Verdict.of(run, replay(timeline, new OneThread()));
        assertThat(run.violations()).isPositive();
        assertThat(verdict.passed()).isFalse();
        assertThat(verdict.complaints()).anyMatch(complaint -> complaint.contains("moves out of order"));
    }

    @Test
    void run_contenderThatCannotStart_isAFailure() throws Exception {
        Contender broken = new Contender() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public Dispatcher open(World world, ThreadLedger threads) {
                throw new IllegalStateException("cannot start");
            }
        };
        Timeline timeline = Timeline.of(Rows.flights(Rows.many(5)));

        RunResult run = replay(timeline, broken);

        assertThat(run.failures()).isEqualTo(1);
        assertThat(Verdict.of(run, replay(timeline, new OneThread())).complaints())
                .anyMatch(complaint -> complaint.contains("cannot start"));
    }

    private static RunResult replay(Timeline timeline, Contender contender) throws InterruptedException {
        try (ProgressBar progress = new ProgressBar(new PrintWriter(new StringWriter()), false)) {
            return new Replay(timeline, 10, Speed.MAX).run(contender, progress);
        }
    }

    /** Keeps all moves to the end, and then runs the last one first. */
    private static final class Reversing implements Contender {

        @Override
        public String name() {
            return "reversing";
        }

        @Override
        public Dispatcher open(World world, ThreadLedger threads) {
            Dispatcher all = new OneThread().open(world, threads);
            Deque<FlightEvent> held = new ArrayDeque<>();
            return new Dispatcher() {
                @Override
                public void move(FlightEvent event) {
                    held.push(event);
                }

                @Override
                public void redraw(DepartureBoard board) {
                    all.redraw(board);
                }

                @Override
                public void count(FlightEvent event) {
                    all.count(event);
                }

                @Override
                public void close() {
                    held.forEach(all::move);
                    all.close();
                }
            };
        }
    }
}
