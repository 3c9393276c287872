// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.pool.stage.Contender;
import dev.spindle.benchmarks.pool.stage.Figure;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final Cell CHAINS = Samples.cell("chains");
    private static final Cell BURST = Samples.cell("burst-100");

    private final Results results = new Results(List.of(
            Samples.result(1, CHAINS, Contender.LIMIT, Samples.measurement(CHAINS, 4_000)),
            Samples.result(1, CHAINS, Contender.SPINDLE, Samples.measurement(CHAINS, 3_000)),
            Samples.result(1, CHAINS, Contender.TPE, Samples.measurement(CHAINS, 1_000)),
            Samples.result(1, CHAINS, Contender.FJP, Samples.measurement(CHAINS, 2_000)),
            Samples.result(2, CHAINS, Contender.LIMIT, Samples.measurement(CHAINS, 4_000)),
            Samples.result(
                    2, CHAINS, Contender.SPINDLE, Samples.with(Samples.measurement(CHAINS, 5_000), Figure.FOREIGN, 40)),
            Samples.result(2, CHAINS, Contender.FJP, Samples.measurement(CHAINS, 2_000)),
            Samples.result(1, BURST, Contender.SPINDLE, Samples.measurement(BURST, 50)),
            Samples.result(1, BURST, Contender.TPE, Samples.measurement(BURST, 5_000)),
            ForkResult.failed(new Plan.Fork(1, BURST, Contender.JBOSS), "stalled: 3 of <4> \"tasks\"")));

    @Test
    void markdown_severalRounds_showsMedianSpreadAndRatioToTheStrongestPeer() {
        assertThat(markdown())
                .contains("| Spindle | 4,000 [3,000 to 5,000] | 2.00 |")
                .contains("| `chains` | tasks/s | 4,000 | ForkJoinPool, async | 2,000 | 2.00 | 1.00 |");
    }

    @Test
    void markdown_disturbedRound_isMarkedAndKept() {
        assertThat(markdown()).contains("(1 of 2 rounds)");
    }

    @Test
    void markdown_forkWithoutFigure_isNamed() {
        assertThat(markdown())
                .contains("- round 1, JBoss EnhancedQueueExecutor: stalled: 3 of <4>")
                .doesNotContain("| JBoss EnhancedQueueExecutor |");
    }

    @Test
    void markdown_scaledDown_givesNoVerdict() {
        assertThat(new Report(results, Samples.MACHINE, false).markdown()).contains("None: the cells were scaled down");
        assertThat(markdown()).contains("| goal | asked | got | |").contains("- SCH8 inconclusive: ");
    }

    @Test
    void complete_aTaskTwice_isNot() {
        assertThat(results.complete()).isTrue();

        Results broken = new Results(List.of(Samples.result(
                1, CHAINS, Contender.TPE, Samples.with(Samples.measurement(CHAINS, 1), Figure.MISCOUNTED, 1))));
        assertThat(broken.complete()).isFalse();
        Results stalled =
                new Results(List.of(ForkResult.failed(new Plan.Fork(1, CHAINS, Contender.SPINDLE), "stalled")));
        assertThat(stalled.complete()).isFalse();
    }

    @Test
    void html_everyCell_hasPicturesWithErrorBarsAndTheLimit() {
        String page =
                new HtmlReport(results, Samples.MACHINE).page(new Report(results, Samples.MACHINE, true).verdicts());

        assertThat(page)
                .contains("Processor &lt;R&gt;")
                .contains("<h2>")
                .contains("<path d=")
                .contains("<title>the limit</title>")
                .contains("4,000 (2.00 x)")
                .contains("less is better, logarithmic")
                .contains("stalled: 3 of &lt;4&gt;")
                .doesNotContain("href=", "src=", "<script", "NaN");
        assertThat(page.split("<svg", -1)).hasSameSizeAs(page.split("</svg>", -1));
    }

    @Test
    void html_nothingMeasured_saysThereIsNoVerdict() {
        assertThat(new HtmlReport(new Results(List.of()), Samples.MACHINE).page(List.of()))
                .contains("None: the cells were scaled down")
                .doesNotContain("<svg");
    }

    @Test
    void json_holdsMachineForksSpreadsAndVerdicts() {
        Report report = new Report(results, Samples.MACHINE, true);

        assertThat(JsonReport.text(results, Samples.MACHINE, Samples.terms(false), report.verdicts()))
                .contains("\"vm\": \"VM \\\"x\\\" 1\"")
                .contains(
                        "{\"round\": 1, \"cell\": \"chains\", \"contender\": \"limit\", \"problem\": \"\", \"figures\": {"
                                + "\"tasks_per_s\": 4000.0,")
                .contains("\"problem\": \"stalled: 3 of <4> \\\"tasks\\\"\", \"figures\": {}}")
                .contains("{\"cell\": \"chains\", \"contender\": \"spindle\", \"figure\": \"tasks_per_s\","
                        + " \"median\": 4000.0, \"min\": 3000.0, \"max\": 5000.0, \"rounds\": 2}")
                .contains("\"outcome\": \"inconclusive\"");
    }

    private String markdown() {
        return new Report(results, Samples.MACHINE, true).markdown();
    }
}
