// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.CompareCommand;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.StalledException;
import dev.spindle.benchmarks.compare.Subject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs do all their work, and a program or a tool chain that is broken is named. */
@Timeout(120)
class NativeProgramTest {
    private static final PrintWriter NOWHERE = new PrintWriter(new StringWriter());

    @ParameterizedTest
    @ValueSource(strings = {"Go", "Rust"})
    void pass_ofAllCells_findsItsFiguresAndNoViolation(String language) throws InterruptedException {
        ToolChain chain = language.equals("Go") ? ToolChain.GO : ToolChain.RUST;
        if (chain == ToolChain.GO) {
            chain.prepare(NOWHERE); // that of Rust takes a test too long, and libraries: it counts where it is built
        }
        assumeTrue(chain.absence().isEmpty(), () -> chain.absence().orElse(""));
        for (Cell cell : NativeComparison.comparison().cells()) {
            for (Contender contender : cell.contenders()) {
                if (contender.requirement() == chain) {
                    Recorder recorder = new Recorder();
                    try (Subject subject = cell.open(contender, Subject.Scale.QUICK)) {
                        subject.pass(recorder);
                        subject.pass(recorder);
                    }
                    assertThat(recorder.values())
                            .as("%s in %s", contender, cell)
                            .containsEntry(Figure.VIOLATIONS.field(), 0.0)
                            .containsKeys(Figure.VOLUNTARY.field(), Figure.THREADS.field())
                            .hasEntrySatisfying(
                                    Figure.NANOS.field(),
                                    nanos -> assertThat(nanos).isPositive())
                            .hasEntrySatisfying(
                                    Figure.CPU.field(),
                                    nanos -> assertThat(nanos).isPositive());
                }
            }
        }
    }

    @Test
    void pass_figures_arePerOperation() throws InterruptedException {
        String line = "ops=100 nanos=5000 cpu_nanos=900 voluntary=7 involuntary=3 violations=2";
        Recorder recorder = new Recorder();
        try (Subject subject = program("while read request; do echo '" + line + "'; done")) {
            subject.pass(recorder);
            subject.pass(recorder);
        }

        assertThat(recorder.values())
                .containsEntry(Figure.OPS.field(), 200.0)
                .containsEntry(Figure.NANOS.field(), 50.0)
                .containsEntry(Figure.CPU.field(), 9.0)
                .containsEntry(Figure.VOLUNTARY.field(), 0.07)
                .containsEntry(Figure.VIOLATIONS.field(), 4.0);
    }

    @Test
    void pass_programThatEndsEarly_isNamed() {
        assertThatThrownBy(() -> program("read request; exit 3").pass(new Recorder()))
                .isInstanceOf(StalledException.class)
                .hasMessage("a program gave no figures, and ended with 3");
    }

    @Test
    void pass_programThatSaysSomethingElse_isQuoted() {
        assertThatThrownBy(() -> program("read request; echo it broke; echo here >&2; exit 1")
                        .pass(new Recorder()))
                .isInstanceOf(StalledException.class)
                .hasMessage("a program gave no figures, said 'it broke / here', and ended with 1");
    }

    @Test
    void toolChain_thatIsMissing_isNamed(@TempDir Path folder) {
        ToolChain missing = chain("no-such-tool", folder);
        missing.prepare(NOWHERE);

        assertThat(missing.absence())
                .hasValue("there is no 'no-such-tool' on the PATH, nor in " + folder + "; install Made-up to have them"
                        + " compared");
    }

    @Test
    void command_toolChainThatIsMissing_leavesTheContenderOutByName(@TempDir Path folder) {
        Contender contender = Contender.peer("made-up", "Made-up tasks").needing(chain("no-such-tool", folder));
        Cell cell =
                new Cell("cell", "a cell", Effort.millis(1, 1, 1), Figure.NANOS).enter(contender, scale -> program(""));
        Comparison comparison =
                new Comparison("native", NativeProgramTest.class, "Native", "", List::of, List.of(cell), judge -> {});
        StringWriter out = new StringWriter();

        CompareCommand.of(comparison)
                .setOut(new PrintWriter(out))
                .setErr(NOWHERE)
                .execute("--quick");

        assertThat(out.toString()).startsWith("Left out: Made-up tasks: there is no 'no-such-tool' on the PATH");
    }

    @Test
    void toolChain_whoseBuildFails_saysWhatItSaid(@TempDir Path folder) throws IOException {
        StringWriter console = new StringWriter();
        Path tool = Files.writeString(folder.resolve("tool"), "#!/bin/sh\necho line 7 is wrong >&2\nexit 4\n");
        assertThat(tool.toFile().setExecutable(true)).isTrue();
        ToolChain failing = chain("tool", folder);
        failing.prepare(new PrintWriter(console));

        assertThat(console.toString()).contains("contenders in Made-up: " + tool + " build", "  line 7 is wrong");
        assertThat(failing.absence())
                .hasValueSatisfying(reason -> assertThat(reason).startsWith("their build ended with 4"));
    }

    private static ToolChain chain(String tool, Path folder) {
        return new ToolChain("Made-up", tool, folder, folder, List.of("build"), "program");
    }

    private static Subject program(String script) {
        return new NativeProgram("a program", List.of("sh", "-c", script));
    }
}
