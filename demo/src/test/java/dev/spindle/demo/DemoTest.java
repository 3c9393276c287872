// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.demo.flights.FlightSource;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class DemoTest {

    private static final long OVERRUN = TimeUnit.MINUTES.toNanos(1);
    private static final long HALF_A_SPAN = TimeUnit.MILLISECONDS.toNanos(100);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void run_allContenders_passesInLinesOfEightyColumns(boolean live) throws Exception {
        List<Contender> contenders = contenders();

        assertThat(run(live, OVERRUN, contenders)).isTrue();

        assertThat(out.toString())
                .contains("Flights        900 of ", "Events         2,", "in 0.2 s: 600,000 times", "One in 100 ")
                .contains("longest wait: ", "out of order: ", "context switches: ", "callBlocking")
                .contains("The best of those that handled all events", "  total time ", "  longest wait ", "PASSED: ");
        assertThat(out.toString().lines())
                .allMatch(line -> line.length() <= ResultTable.WIDTH)
                .filteredOn(line -> line.contains("100 %"))
                .zipSatisfy(contenders, (line, contender) -> assertThat(line).startsWith(contender.name()));
        assertThat(contenders).allMatch(contender -> out.toString().contains(contender.method()));
        assertThat(out.toString().contains("need JDK 21")).isEqualTo(!VirtualContender.available());
        assertThat(err.toString().split("\r|\n", -1))
                .allMatch(line -> line.replace("\u001b[K", "").length() <= ResultTable.WIDTH);
    }

    @Test
    void run_contenderOutOfOrder_failsAndCountsTheEvents() throws Exception {
        boolean passed = run(false, OVERRUN, List.of(new Holding(true, true), new SpindleContender(2)));

        assertThat(passed).isFalse();
        assertThat(out.toString())
                .containsPattern("(?m)^reversing .* [1-9][0-9,]*$")
                .containsPattern("(?m)^! reversing: events out of order: [1-9][0-9,]*$")
                .containsPattern("(?m)^! reversing: aircraft in another state ")
                .contains("  threads       reversing (out of order) 0; Spindle ", "FAILED: ");
    }

    @Test
    void run_contenderOutOfOrderThatPromisedNone_passesWithANote() throws Exception {
        boolean passed = run(false, OVERRUN, List.of(new Holding(true, false), new SpindleContender(2)));

        assertThat(passed).isTrue();
        assertThat(out.toString())
                .containsPattern("(?m)^\\* reversing: events out of order: [1-9][0-9,]*, which it does not promise");
    }

    @Test
    void run_contenderTooSlow_isStoppedAndSaysSo() throws Exception {
        boolean passed = run(false, -HALF_A_SPAN, List.of(new Holding(false, true), new SpindleContender(2)));

        assertThat(passed).isTrue();
        assertThat(out.toString())
                .containsPattern("(?m)^holding +0 % ")
                .contains("* holding: too slow for these arrivals: stopped after ");
    }

    private boolean run(boolean live, long overrunNanos, List<Contender> contenders) throws Exception {
        SimulatedWork work = new SimulatedWork(10, 1, true);
        Demo.Settings settings = new Demo.Settings(work, new Speed(600_000), overrunNanos, live);
        return new Demo(new PrintWriter(out), new PrintWriter(err), settings)
                .run(FlightSource.read(null, 2013, 900), contenders);
    }

    private static List<Contender> contenders() {
        List<Contender> contenders = new ArrayList<>(
                List.of(ExecutorsContender.oneThread(), ExecutorsContender.byAirline(), ExecutorsContender.byHash(8)));
        if (VirtualContender.available()) {
            contenders.add(new VirtualContender());
        }
        contenders.add(new SpindleContender(2));
        return contenders;
    }
}
