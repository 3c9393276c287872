// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spindle.demo.flights.AircraftState;
import dev.spindle.demo.flights.FlightSource;
import dev.spindle.demo.flights.Rows;
import dev.spindle.demo.flights.Timeline;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class ReplayTest {

    private static final int FLIGHTS = 3000;
    private static final int LOOK_UP_MILLIS = 20;

    static Stream<Contender> contenders() {
        return Stream.of(
                new SpindleContender(1),
                new SpindleContender(4),
                ExecutorsContender.byAirline(),
                ExecutorsContender.byHash(3),
                ExecutorsContender.oneThread());
    }

    @ParameterizedTest
    @MethodSource("contenders")
    void run_realFlights_endsLikeTheEventsOneByOne(Contender contender) throws Exception {
        Timeline timeline = Timeline.of(FlightSource.read(null, 2013, FLIGHTS).flights());
        Replay replay = replay(timeline, 1);

        RunResult run = run(replay, contender);

        Verdict verdict = Verdict.of(run, replay.reference().states());
        assertThat(verdict.failures()).isEmpty();
        assertThat(verdict.notes()).isEmpty();
        assertThat(run.figures().events()).isEqualTo(timeline.events().size());
        assertThat(run.figures().handled()).isEqualTo(timeline.events().size());
        assertThat(run.states().stream().mapToInt(AircraftState::events).sum())
                .isEqualTo(timeline.events().size());
    }

    @Test
    void run_executors_countsTheirThreads() throws Exception {
        Replay replay = replay(Timeline.of(Rows.flights(Rows.many(500))), 0);

        assertThat(run(replay, ExecutorsContender.oneThread()).figures().threads())
                .isEqualTo(1);
        assertThat(run(replay, ExecutorsContender.byHash(3)).figures().threads())
                .isEqualTo(3);
    }

    @Test
    void run_virtualThreads_countsThemAndTheirCarriers() throws Exception {
        assumeTrue(VirtualContender.available(), "virtual threads need JDK 21 or newer");

        RunResult run = run(replay(Timeline.of(Rows.flights(Rows.many(500))), 1), new VirtualContender());

        assertThat(run.figures().handled()).isEqualTo(1500);
        assertThat(run.virtualThreads()).isPositive();
        if (ContextSwitches.currentTask() != null) {
            assertThat(run.figures().threads()).isPositive();
            assertThat(run.figures().switches()).isPositive();
        }
    }

    @Test
    void run_eventsBehindTheLookUpOfAnother_waitAtLeastAsLong() throws Exception {
        RunResult run =
                run(replay(Timeline.of(Rows.flights(Rows.many(500))), LOOK_UP_MILLIS), new Holding(false, true));

        assertThat(run.figures().longestWaitNanos()).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(LOOK_UP_MILLIS));
        assertThat(run.figures().late()).isPositive();
    }

    @Test
    void run_contenderThatCannotStart_isAFailure() throws Exception {
        Contender broken = new Contender() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public String method() {
                return "not at all";
            }

            @Override
            public boolean promisesOrder() {
                return true;
            }

            @Override
            public Dispatcher open(ThreadLedger ledger) {
                throw new IllegalStateException("cannot start");
            }
        };
        Replay replay = replay(Timeline.of(Rows.flights(Rows.many(5))), 0);

        RunResult run = run(replay, broken);

        assertThat(run.failures()).isEqualTo(1);
        assertThat(Verdict.of(run, replay.reference().states()).failures())
                .anyMatch(failure -> failure.contains("cannot start"))
                .contains("events lost: 15");
    }

    private static Replay replay(Timeline timeline, int lookUpMillis) {
        return new Replay(timeline, new SimulatedWork(10, lookUpMillis, true), Speed.MAX, TimeUnit.MINUTES.toNanos(1));
    }

    private static RunResult run(Replay replay, Contender contender) throws InterruptedException {
        try (Progress progress = new Progress(new PrintWriter(Writer.nullWriter()), false)) {
            return replay.run(contender, progress);
        }
    }
}
