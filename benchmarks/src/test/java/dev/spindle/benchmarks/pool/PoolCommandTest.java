// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.forks.Machine;
import dev.spindle.benchmarks.pool.stage.Contender;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PoolCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder = Path.of("");

    @Test
    void quick_oneCell_printsPlanProgressTableAndWritesFiles() throws IOException {
        int exit = run("--quick", "--cells", "chains", "--contenders", "limit,spindle,tpe", "--out", folder.toString());

        assertThat(err.toString()).isEmpty();
        assertThat(exit).isZero();
        assertThat(out.toString())
                .contains("3 forks, one after the other; about ")
                .contains("[3/3] round 1  chains")
                .contains("| Spindle |")
                .contains("None: the cells were scaled down");
        assertThat(Files.readAllLines(folder.resolve("forks.csv"))).hasSize(4);
        assertThat(folder.resolve("report.md")).content().contains("(`chains`)");
        assertThat(folder.resolve("report.html")).content().contains("<svg");
        assertThat(folder.resolve("results.json")).content().contains("\"contender\": \"tpe\"");
    }

    @Test
    void resume_brokenOffRun_runsOnlyWhatIsMissing() throws IOException {
        Plan plan = Plan.of(
                new Plan.Terms(true, 500, Optional.empty()),
                1,
                List.of(Samples.cell("chains")),
                List.of(Contender.LIMIT, Contender.SPINDLE, Contender.TPE));
        Folder begun = Folder.begin(folder, Machine.here(), plan);
        Plan.Fork first = plan.forks().get(0);
        begun.add(ForkResult.measured(first, Samples.measurement(first.cell(), 7_654)));
        begun.add(ForkResult.failed(plan.forks().get(1), "exit code 137"));
        Files.writeString(folder.resolve("forks.csv"), "1,chains,tp", StandardOpenOption.APPEND);

        int exit = run("--resume", folder.toString());

        assertThat(err.toString()).isEmpty();
        assertThat(exit).isZero();
        assertThat(out.toString())
                .contains("2 forks, one after the other (1 of 3 are there already)")
                .contains("[1/2] round 1  chains                  spindle")
                .contains("[2/2] round 1  chains                  tpe")
                .contains("7,654");
        assertThat(Files.readAllLines(folder.resolve("forks.csv")))
                .hasSize(4)
                .noneMatch(line -> line.contains("exit code"));
    }

    @Test
    void resume_otherJava_isRefused() throws IOException {
        Machine here = Machine.here();
        Folder.begin(
                folder,
                new Machine("1.4", here.vm(), here.system(), here.processor(), 1),
                Plan.of(new Plan.Terms(true, 500, Optional.empty()), 1, Cell.of(Cell.FORK), Contender.all()));

        assertThat(run("--resume", folder.toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains("is of Java 1.4 on 1 processors, this is Java")
                .contains("begin anew with --out");
    }

    @Test
    void resume_withAnotherOption_isRefused() {
        assertThat(run("--resume", folder.toString(), "--rounds", "7")).isEqualTo(2);

        assertThat(err.toString()).contains("goes on as '" + folder + "' was planned; leave out --quick");
    }

    @Test
    void resume_emptyFolder_namesWhatIsMissing() {
        assertThat(run("--resume", folder.toString())).isEqualTo(2);

        assertThat(err.toString()).contains("there is no plan.csv with a forks.csv in '" + folder + "'");
    }

    @Test
    void resume_foreignFile_saysWhy() throws IOException {
        Files.writeString(
                folder.resolve("plan.csv"),
                "# java=" + Machine.here().java() + " processors="
                        + Runtime.getRuntime().availableProcessors()
                        + " quick=true steps_per_us=500 futex=none\ntwo\n1,chain,tpe\n");
        Files.writeString(folder.resolve("forks.csv"), "");

        assertThat(run("--resume", folder.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("plan.csv' cannot be continued: no cell 'chain' in this version");
    }

    @Test
    void out_folderOfAnotherRun_isRefused() throws IOException {
        Files.writeString(folder.resolve("forks.csv"), "");

        assertThat(run("--quick", "--cells", "idle", "--out", folder.toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("there is a run in '" + folder + "' already; continue it with --resume");
    }

    @Test
    void list_namesGroupsCellsAndContenders() {
        assertThat(run("--list")).isZero();

        assertThat(out.toString())
                .contains("Groups of cells: flood, million, window")
                .contains("window-t256-x0.5-100us-s10")
                .contains("JBoss EnhancedQueueExecutor");
    }

    @Test
    void cells_unknownName_saysWhichThereAre() {
        assertThat(run("--cells", "floods")).isEqualTo(2);

        assertThat(err.toString()).contains("unknown cell 'floods'; there are the groups flood, million");
    }

    @Test
    void cells_nameOfAGroup_meansAllOfIt() {
        assertThat(Listing.cells(List.of("burst", "chains"), false))
                .extracting(Cell::name)
                .containsExactly("burst-10", "burst-100", "burst-1000", "chains");
    }

    @Test
    void contenders_unknownName_saysWhichThereAre() {
        assertThat(run("--contenders", "akka")).isEqualTo(2);

        assertThat(err.toString()).contains("unknown contender 'akka'; there are: limit, spindle");
    }

    @Test
    void contenders_noneTakesPart_isRefused() {
        assertThat(run("--contenders", "limit", "--cells", "mix")).isEqualTo(2);

        assertThat(err.toString()).contains("none of the contenders [limit] takes part in the cells [mix]");
    }

    @Test
    void rounds_zero_namesTheValue() {
        assertThat(run("--rounds", "0")).isEqualTo(2);

        assertThat(err.toString()).contains("--rounds must be at least 1, was 0");
    }

    private int run(String... arguments) {
        return new CommandLine(new PoolCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
