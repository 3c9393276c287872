// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class CommandLinesTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** The action of the sample command. */
    private interface Body {
        int run() throws Exception;
    }

    @Command(name = "sample", mixinStandardHelpOptions = true, sortOptions = false)
    private static final class Sample extends ConsoleCommand {
        @Option(names = "--first", description = "The first. Default: ${DEFAULT-VALUE}.", defaultValue = "5")
        @Range(least = 1, most = 10)
        private int first;

        @Option(
                names = {"-p", "--part"},
                description = "A part.")
        @Range(least = 0, most = Long.MAX_VALUE)
        private double part;

        @Option(names = "--file", description = "A file.")
        private Path file = Path.of("");

        private final Body body;

        Sample(Body body) {
            this.body = body;
        }

        @Override
        protected int run() throws Exception {
            if (!file.toString().isEmpty()) {
                requireWritable("--file", file);
            }
            out().println("first " + first + ", part " + part);
            return body.run();
        }
    }

    private int execute(Body body, String... arguments) {
        CommandLine line = CommandLines.of(new CommandLine(new Sample(body)))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
        return CommandLines.run(line, arguments);
    }

    private int execute(String... arguments) {
        return execute(() -> 0, arguments);
    }

    @ParameterizedTest
    @CsvSource({"--first, 1", "--first, 10", "--part, 0", "-p, 1e300"})
    void number_inItsRange_isTaken(String option, String value) {
        assertThat(execute(option, value)).isZero();
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "--first, 0, 0 is not from 1 to 10",
        "--first, 11, 11 is not from 1 to 10",
        "--part, -0.1, -0.1 is not from 0 upwards",
        "-p, NaN, NaN is not from 0 upwards",
        "--first, 1.5, is not an int; write a number from 1 to 10"
    })
    void number_outOfItsRange_isRefusedBeforeTheCommandRuns(String option, String value, String said) {
        assertThat(execute(option, value)).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("sample: Invalid value for option '--")
                .contains(value, said)
                .endsWith(". Try: sample --help");
    }

    @Test
    void option_nearlyRight_isSuggested() {
        assertThat(execute("--firs", "2")).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains("--firs", "did you mean --first");
    }

    @Test
    void help_namesRangesInTheOrderOfTheOptions() {
        assertThat(execute("--help")).isZero();
        assertThat(out.toString().replaceAll("\\s+", " "))
                .containsSubsequence(
                        "Default: 5. Takes numbers from 1 to 10.", "A part. Takes numbers from 0", "A file.");
    }

    @Test
    void failure_ofAFile_isOneLineAndStatusTwo() {
        assertThat(execute(() -> {
                    throw new UncheckedIOException(new NoSuchFileException("/no/such/file"));
                }))
                .isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains("/no/such/file: there is no such file");
    }

    @Test
    void failure_forWantOfMemory_isOneLineAndStatusTwo() {
        assertThat(execute(() -> {
                    throw new OutOfMemoryError("made up");
                }))
                .isEqualTo(2);
        assertThat(execute(() -> {
                    throw new CompletionException(new OutOfMemoryError("made up"));
                }))
                .isEqualTo(2);
        assertThat(err.toString().lines()).hasSize(2).allMatch(line -> line.contains("lower them, or give the JVM"));
    }

    @Test
    void failure_thatIsABug_keepsItsTrace() {
        assertThat(execute(() -> {
                    throw new IllegalStateException("a bug");
                }))
                .isEqualTo(1);
        assertThat(err.toString()).contains("IllegalStateException: a bug", "\tat ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "none/file", "taken/file"})
    void file_thatCannotBeWritten_isRefused(String name, @TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("taken"), "");

        assertThat(execute("--file", folder.resolve(name).toString())).isEqualTo(2);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .contains("--file", folder.toString(), "name a file");
    }

    @Test
    void file_newOrToBeReplaced_isTaken(@TempDir Path folder) throws IOException {
        Path there = Files.writeString(folder.resolve("there"), "");

        assertThat(execute("--file", folder.resolve("new").toString())).isZero();
        assertThat(execute("--file", there.toString())).isZero();
        assertThat(folder.resolve("new")).doesNotExist();
    }
}
