// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class GatlingCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void quick_oneCell_printsPlanProgressTableAndWritesFiles(@TempDir Path folder) throws IOException {
        int exit = run("--quick", "--cells", "k16-w0", "--contenders", "limit,spindle", "--out", folder.toString());

        assertThat(err.toString()).isEmpty();
        assertThat(exit).isZero();
        assertThat(out.toString())
                .contains("2 forks")
                .contains("[2/2] round 1  k16-w0")
                .contains("| Spindle, by key |")
                .contains("None: the cells were scaled down");
        assertThat(Files.readAllLines(folder.resolve("forks.csv"))).hasSize(3);
        assertThat(folder.resolve("report.md")).content().contains("## 16 keys, 0 increments");
    }

    @Test
    void list_namesCellsAndContenders() {
        assertThat(run("--list")).isZero();

        assertThat(out.toString()).contains("k100000-zipf").contains("SOFAJRaft");
    }

    @Test
    void cells_unknownName_saysWhichThereAre() {
        assertThat(run("--cells", "k17")).isEqualTo(2);

        assertThat(err.toString()).contains("unknown cell 'k17'; there are: seed, k16-w0");
    }

    @Test
    void contenders_unknownName_saysWhichThereAre() {
        assertThat(run("--contenders", "akka")).isEqualTo(2);

        assertThat(err.toString()).contains("unknown contender 'akka'; there are: limit, spindle");
    }

    private int run(String... arguments) {
        return new CommandLine(new GatlingCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
