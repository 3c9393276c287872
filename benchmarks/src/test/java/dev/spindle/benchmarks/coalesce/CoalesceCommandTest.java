// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CoalesceCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void quick_twoCells_printsTablesAndWritesFiles(@TempDir Path folder) throws IOException {
        int exit =
                run("--quick", "--cells", "k10-p1,k10-p8", "--contenders", "spindle,ring", "--out", folder.toString());

        assertThat(err.toString()).isEmpty();
        assertThat(exit).isZero();
        assertThat(out.toString())
                .contains("3 forks") // the ring takes one producer alone
                .contains("[3/3] round 1  k10-p8")
                .contains("| Spindle, Coalescer |")
                .contains("10 keys, 8 producers");
        assertThat(Files.readAllLines(folder.resolve("forks.csv"))).hasSize(4);
        assertThat(folder.resolve("report.md")).content().contains("## 10 keys, 8 producers");
    }

    @Test
    void list_namesCellsAndContenders() {
        assertThat(run("--list")).isZero();

        assertThat(out.toString()).contains("k10000-p8").contains("map-blocking");
    }

    @Test
    void cells_unknownName_saysWhichThereAre() {
        assertThat(run("--cells", "k17")).isEqualTo(2);

        assertThat(err.toString()).contains("unknown cell 'k17'; there are: k10-p1, k10000-p1");
    }

    @Test
    void contenders_noneTakesPart_isRefused() {
        assertThat(run("--contenders", "ring", "--cells", "k10-p8")).isEqualTo(2);

        assertThat(err.toString()).contains("none of the contenders [ring] takes part in the cells [k10-p8]");
    }

    @Test
    void rounds_zero_namesTheValue() {
        assertThat(run("--rounds", "0")).isEqualTo(2);

        assertThat(err.toString()).contains("--rounds must be at least 1, was 0");
    }

    private int run(String... arguments) {
        return new CommandLine(new CoalesceCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
