// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.verify.torture.BrokenLane.Fault;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@Timeout(120)
class TortureCommandTest {
    private static final int TASKS = 4_000;

    @TempDir
    Path directory = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(TortureCommand command, String... arguments) {
        return new CommandLine(command)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private int run(String... arguments) {
        return run(new TortureCommand().against(lane -> lane, TASKS), arguments);
    }

    @Test
    void zeroMinutes_runOneProgram() {
        assertThat(run("--minutes", "0", "--seed", "7")).isZero();
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .contains("The program of seed 7, again and again.")
                .contains("All 1 programs kept every promise: ", " per second: {")
                .doesNotContain("BROKEN");
    }

    @Test
    void tasks_runAsManyProgramsAsItTakes() {
        assertThat(run("--tasks", "10000")).isZero();
        assertThat(out.toString()).contains("Programs of seed ", " programs kept every promise: ", "ran=");
    }

    @ParameterizedTest
    @CsvSource({
        "pipelines, pipeline",
        "conflations, conflation",
        "actors, actors",
        "channels, channels",
        "heartbeats, heartbeats"
    })
    void otherKind_ofASeed_keepsEveryPromise(String kind, String one) {
        assertThat(run("--only", kind, "--minutes", "0.01", "--seed", "7")).isZero();
        assertThat(out.toString())
                .contains("The " + one + " of seed 7, again and again.", " " + kind + " kept every promise: ");
    }

    @Test
    void nothingAsked_runsAllKindsInTurn() {
        assertThat(run("--minutes", "0.02")).isZero();
        assertThat(out.toString())
                .contains(
                        " programs kept",
                        " pipelines kept",
                        " conflations kept",
                        " actors kept",
                        " channels kept",
                        " heartbeats kept");
    }

    @Test
    void otherCollectorAndSmallShare_runInAJvmOfTheirOwn() {
        assertThat(run("--only", "conflations", "--minutes", "0.02", "--gc", "serial", "--share", "6"))
                .isZero();
        assertThat(out.toString()).contains("Conflations of seed ", " conflations kept every promise: ");
    }

    @Test
    void unknownKind_isAUsageErrorThatNamesAll() {
        assertThat(run("--only", "none")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("--only none is none of [pools, pipelines, conflations");
    }

    @Test
    void pipelines_withTasks_isAUsageError() {
        assertThat(run("--only", "pipelines", "--tasks", "1")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("--only pipelines and --tasks exclude each other");
    }

    @Test
    void brokenPromise_isShrunkKeptAndRepeated() throws IOException {
        Path file = directory.resolve("smallest.txt");
        TortureCommand broken = new TortureCommand().against(lane -> new BrokenLane(lane, Fault.LOSES), TASKS);

        assertThat(run(broken, "--shrink", "5", "--save", file.toString())).isEqualTo(1);
        assertThat(out.toString())
                .contains("BROKEN by the program of seed ", "F3 (an accepted task runs once")
                .contains("Repeat it with: ./spindle torture --seed ")
                .contains("The smallest that fails, of ", "program seed=", "producer rounds=")
                .contains("It fails in ", "Repeat it with: ./spindle torture --replay " + file);
        assertThat(ProgramText.read(Files.readString(file)).steps()).isPositive();

        assertThat(run("--minutes", "0", "--replay", file.toString())).isZero(); // by a sound executor
        assertThat(out.toString()).contains("The program of " + file + ", again and again.");
    }

    @ParameterizedTest
    @CsvSource({
        "--minutes, -1",
        "--minutes, NaN",
        "--tasks, 0",
        "--seed, x",
        "--shrink, -1",
        "--share, 0",
        "--gc, epsilon",
        "--replay, there-is-no-such-file"
    })
    void wrongOption_isAUsageErrorThatNamesIt(String option, String value) {
        assertThat(run(option, value)).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains(option).contains(value);
    }

    @ParameterizedTest
    @CsvSource({"--minutes, 1, --tasks, 1", "--seed, 1, --replay, file"})
    void optionsThatExcludeEachOther_areUsageErrors(String one, String value, String other, String otherValue) {
        assertThat(run(one, value, other, otherValue)).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains(one + " and " + other + " exclude each other");
    }

    @Test
    void replayOfSomethingElse_isAUsageErrorWithTheLine() throws IOException {
        Path file = Files.writeString(directory.resolve("other.txt"), "program seed=x\n");

        assertThat(run("--replay", file.toString())).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("is no program: line 1: seed=x is not an integer");
    }

    @Test
    void help_namesTheOptions() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString())
                .contains(
                        "--minutes",
                        "--tasks",
                        "--seed",
                        "--replay",
                        "--shrink",
                        "--save",
                        "--only",
                        "--gc",
                        "--share",
                        "Exit status:");
    }
}
