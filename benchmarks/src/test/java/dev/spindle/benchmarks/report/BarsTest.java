// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.forks.Spread;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class BarsTest {
    @Test
    void svg_aTime_marksThePeerThatTookLeast() {
        String svg = new Bars(
                        "ns/task",
                        false,
                        List.of(
                                bar("limit", Bars.Kind.LIMIT, 5),
                                bar("Spindle", Bars.Kind.OURS, 10, 20, 30),
                                bar("slow", Bars.Kind.PEER, 80),
                                bar("fast", Bars.Kind.PEER, 40)))
                .svg();

        assertThat(svg)
                .contains("ns/task (less is better)")
                .contains("20.0 (0.50 x)")
                .contains("80.0 (2.00 x)")
                .contains("<title>the limit</title>");
        assertThat(lineAfter(svg, ">fast<")).contains("class=\"best\"");
        assertThat(lineAfter(svg, ">slow<")).contains("class=\"peer\"");
    }

    @Test
    void svg_barsAndWhiskers_areAsLongAsTheirValues() {
        String svg = new Bars("ops/s", true, List.of(bar("a", Bars.Kind.OURS, 50, 75, 100))).svg();

        // The plot begins at 370 and is 400 wide.
        assertThat(svg)
                .contains("width=\"300.0\"")
                .contains("<path d=\"M570.0 ")
                .contains(" H770.0 ");
    }

    @Test
    void svg_valuesTooFarApart_haveALogarithmicAxis() {
        List<Bars.Bar> bars = List.of(bar("a", Bars.Kind.OURS, 1), bar("b", Bars.Kind.PEER, 200));

        assertThat(new Bars("ms", false, bars).svg()).contains("less is better, logarithmic");
    }

    @Test
    void svg_limitFarFromTheOthers_leavesTheAxisAsItIs() {
        List<Bars.Bar> bars = List.of(bar("limit", Bars.Kind.LIMIT, 1), bar("b", Bars.Kind.PEER, 200));

        assertThat(new Bars("ms", false, bars).svg()).doesNotContain("logarithmic");
    }

    @Test
    void svg_allZero_isDrawn() {
        assertThat(new Bars("futex/task", false, List.of(bar("a", Bars.Kind.PEER, 0))).svg())
                .contains(">0.00</text>")
                .doesNotContain("NaN");
    }

    @Test
    void svg_withoutBars_isNothing() {
        assertThat(new Bars("ms", false, List.of()).svg()).isEmpty();
    }

    private static Bars.Bar bar(String name, Bars.Kind kind, double... values) {
        return new Bars.Bar(name, kind, Spread.of(Arrays.stream(values).boxed().toList()));
    }

    /** The line after the one with a text. */
    private static String lineAfter(String svg, String text) {
        List<String> lines = svg.lines().toList();
        for (int i = 0; i < lines.size() - 1; i++) {
            if (lines.get(i).contains(text)) {
                return lines.get(i + 1);
            }
        }
        throw new AssertionError("no " + text + " in " + svg);
    }
}
