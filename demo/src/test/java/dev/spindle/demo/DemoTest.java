// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DemoTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void run_contendersThatAgree_passes() throws Exception {
        boolean passed = demo(Speed.MAX).run(data(), List.of(new SpindleContender(2), new OneThread()));

        assertThat(passed).isTrue();
        assertThat(out.toString())
                .contains("Flights: 900 from flights-2013-q1.csv.gz")
                .contains("(digest ")
                .contains("EWR departures, ")
                .contains("PASSED: ");
        assertThat(err.toString()).contains("one spindle: 100 %").contains("one thread, no queue: 100 %");
    }

    @Test
    void run_contenderThatLosesAMove_failsAndNamesTheAircraft() throws Exception {
        boolean passed = demo(Speed.MAX).run(data(), List.of(new Forgetful(), new OneThread()));

        assertThat(passed).isFalse();
        assertThat(out.toString())
                .contains("! forgetful: 1 states differ; the first is aircraft N")
                .contains("FAILED: ");
    }

    @Test
    void run_factorOfRealTime_saysHowLongItTakes() throws Exception {
        boolean passed = demo(new Speed(10_000_000)).run(data(), List.of(new SpindleContender(2), new OneThread()));

        assertThat(passed).isTrue();
        assertThat(out.toString()).contains("at 10,000,000 times real time: ").contains("each of the 2 runs");
    }

    private Demo demo(Speed speed) {
        return new Demo(new PrintWriter(out), new PrintWriter(err), new Demo.Settings(10, speed, false, true));
    }

    private static FlightData data() throws DataException {
        return FlightSource.read(null, 2013, 900);
    }

    /** Runs everything on the spot, but for one move. */
    private static final class Forgetful implements Contender {

        @Override
        public String name() {
            return "forgetful";
        }

        @Override
        public Dispatcher open(World world, ThreadLedger threads) {
            Dispatcher all = new OneThread().open(world, threads);
            return new Dispatcher() {
                private int moves;

                @Override
                public void move(FlightEvent event) {
                    if (++moves != 100) {
                        all.move(event);
                    }
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
                    all.close();
                }
            };
        }
    }
}
