// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class CompareCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void quick_printsPlanProgressTablesAndWritesFiles(@TempDir Path folder) throws IOException {
        int exit = run("--quick", "--cells", "plain", "--contenders", "ours,fast", "--out", folder.toString());

        assertThat(err.toString()).isEmpty();
        assertThat(exit).isZero();
        assertThat(out.toString())
                .contains("2 forks, one after the other; about 1 s")
                .contains("[2/2] round 1  plain")
                .contains("| Spindle | 10.0 [10.0 to 10.0] | - | - | - | 2.00 |")
                .contains("None: the cells were scaled down");
        assertThat(Files.readAllLines(folder.resolve("forks.csv")))
                .hasSize(5)
                .first()
                .asString()
                .startsWith("# samples, scaled down, collector parallel. Java ");
        assertThat(folder.resolve("report.md")).content().contains("## a plain cell (`plain`)");
    }

    @Test
    void out_brokenOffRun_runsOnlyWhatIsMissing(@TempDir Path folder) throws IOException {
        String[] arguments = {
            "--quick", "--cells", "plain", "--contenders", "ours,fast,slow", "--out", folder.toString()
        };
        run(arguments);
        Path forks = folder.resolve("forks.csv");
        List<String> lines = Files.readAllLines(forks);
        Files.writeString(
                forks,
                String.join("\n", lines.subList(0, 3)) + "\n" + lines.get(3).replaceFirst("10.000000", "77.000000")
                        + "\n1,plain,sl");

        int exit = run(arguments);

        assertThat(err.toString()).isEmpty();
        assertThat(exit).isZero();
        assertThat(out.toString())
                .contains("2 forks, one after the other (1 are there already)")
                .contains("[1/2] round 1  plain           fast")
                .contains("[2/2] round 1  plain           slow")
                .contains("| Spindle | 77.0 [77.0 to 77.0]")
                .contains("None: the cells were scaled down");
        assertThat(Files.readAllLines(forks)).hasSize(6);
    }

    @Test
    void out_folderOfARunOnOtherTerms_isRefused(@TempDir Path folder) {
        run("--quick", "--cells", "plain", "--contenders", "ours", "--out", folder.toString());

        assertThat(run("--cells", "plain", "--out", folder.toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains("'" + folder + "' has a run of other terms: samples, scaled down, collector parallel. Java ");
    }

    @Test
    void collector_g1_isThatOfTheForks(@TempDir Path folder) throws IOException {
        String[] arguments = {"--quick", "--cells", "plain", "--contenders", "ours", "--out", folder.toString()};
        assertThat(run(concat(arguments, "--collector", "g1"))).isZero();

        assertThat(Files.readAllLines(folder.resolve("forks.csv")).get(1)).contains("-XX:+UseG1GC");
        assertThat(run(arguments)).isEqualTo(2);
        assertThat(run(concat(arguments, "--collector", "none"))).isEqualTo(2);
        assertThat(err.toString()).contains("scaled down, collector g1").contains("parallel, g1");
    }

    @Test
    void rounds_fullSize_warmUpAndJudge() {
        assertThat(run("--rounds", "1", "--cells", "plain", "--contenders", "ours,slow"))
                .isZero();

        assertThat(out.toString())
                .contains("| G1: a plain cell; Spindle | ns/op: at least 4.0 x as good as: a slow peer | 8.00")
                .contains("1 of 5 rounds, median would do");
    }

    @Test
    void violations_ofAPeer_endWithOne() {
        assertThat(run("--quick", "--cells", "faulty", "--contenders", "losing"))
                .isEqualTo(1);

        assertThat(out.toString()).contains("VIOLATIONS: 3").contains("| a peer that loses |");
    }

    @Test
    void stalledPeer_isNamedAndNoFault() {
        assertThat(run("--quick", "--cells", "faulty", "--contenders", "ours,hanging"))
                .isZero();

        assertThat(out.toString()).contains("- round 1, a peer that hangs: stalled: it hangs");
    }

    @Test
    void contender_thatThisJavaCannotRun_isLeftOutAndNamed() {
        assertThat(run("--contenders", "future")).isEqualTo(2);

        assertThat(out.toString()).contains("Left out: a peer of a later age: it needs Java 1000");
        assertThat(err.toString()).contains("none of the contenders [future] takes part");
    }

    @Test
    void unknownNames_sayWhichThereAre() {
        assertThat(run("--cells", "odd")).isEqualTo(2);
        assertThat(run("--contenders", "absent")).isEqualTo(2);

        assertThat(err.toString())
                .contains("unknown cell 'odd'; there are: plain, faulty")
                .contains("unknown contender 'absent'; there are: limit, ours");
    }

    private static String[] concat(String[] arguments, String... more) {
        return Stream.of(arguments, more).flatMap(Stream::of).toArray(String[]::new);
    }

    private int run(String... arguments) {
        return CompareCommand.of(Samples.comparison())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
