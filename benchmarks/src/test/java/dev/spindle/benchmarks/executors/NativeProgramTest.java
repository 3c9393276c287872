// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.executors.NativeProgram.ToolChain;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The figures of programs, and the names of programs and tool chains that are broken. */
@Timeout(120)
class NativeProgramTest {
    private static final PrintWriter NOWHERE = new PrintWriter(new StringWriter());

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
    void toolChain_thatIsMissingOrWhoseBuildFails_isNamed(@TempDir Path folder) {
        ToolChain missing = new ToolChain(folder, "program", "no-such-tool", "build");
        missing.prepare(NOWHERE);
        assertThat(missing.absence())
                .hasValue("there is no 'no-such-tool' on the PATH; install it to have this compared");

        StringWriter console = new StringWriter();
        ToolChain failing = new ToolChain(folder, "program", "sh", "-c", "echo line 7 is wrong >&2; exit 4");
        failing.prepare(new PrintWriter(console));
        assertThat(console.toString()).contains("Building contenders: sh", "  line 7 is wrong");
        assertThat(failing.absence().orElse("")).endsWith("ended with 4, see above");
    }

    private static Subject program(String script) {
        return new NativeProgram("a program", Figure.NANOS, List.of("sh", "-c", script));
    }
}
