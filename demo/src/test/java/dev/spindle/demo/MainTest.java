// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.demo.flights.Rows;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Timeout(120)
class MainTest {

    @TempDir
    Path directory = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void demo_sliceOfRealFlights_comparesAllContendersInEightyColumns() {
        assertThat(execute("demo", "--limit", "500", "--work", "5", "--lookup", "1", "--hash", "3", "--no-announce"))
                .isZero();
        assertThat(out.toString())
                .contains("one thread", "16 executors, by airline", "3 threads, by hash", "virtual threads and locks")
                .contains("Spindle, aircraft as key", "waits 1 ms", "Spindle has to detect it", "PASSED");
        assertThat(out.toString().lines()).allMatch(line -> line.length() <= ResultTable.WIDTH);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--progress", "--no-progress"})
    void demo_progress_redrawsOrNot(String option) {
        assertThat(execute("demo", "--limit", "50", "--work", "0", option)).isZero();
        assertThat(err.toString().contains("\u001b[K")).isEqualTo(option.equals("--progress"));
    }

    @Test
    void demo_noAircraft_exitsTwo() throws IOException {
        Path file = write(Rows.csv(Rows.UNASSIGNED));

        assertThat(execute("demo", "--file", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("no flight names its aircraft");
    }

    @Test
    void demo_malformedRows_areReportedAndTheGoodOnesReplayed() throws IOException {
        Path file = write(Rows.csv(Rows.GOOD, Rows.MALFORMED, Rows.CANCELLED));

        assertThat(execute("demo", "--work", "0", "--file", file.toString())).isZero();
        assertThat(err.toString())
                .contains(file + ": line 3: column dep_time: '2575'")
                .contains("1 malformed rows, 2 good ones, which are replayed; --strict would refuse the file");
    }

    @Test
    void demo_manyMalformedRows_areSummedUp() throws IOException {
        String[] rows = Rows.many(30);
        Arrays.fill(rows, 5, 30, Rows.MALFORMED);
        Path file = write(Rows.csv(rows));

        assertThat(execute("demo", "--work", "0", "--file", file.toString())).isZero();
        assertThat(err.toString()).contains("line 16: ").doesNotContain("line 17: ");
        assertThat(err.toString()).contains("and 15 more malformed rows");
    }

    @Test
    void demo_strictWithMalformedRows_exitsTwo() throws IOException {
        Path file = write(Rows.csv(Rows.GOOD, Rows.MALFORMED));

        assertThat(execute("demo", "--strict", "--file", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("line 3: ").contains("refused, as --strict says");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void demo_truncatedFile_isReplayedUpToTheBreakOrRefused() throws IOException {
        byte[] whole = Rows.gzip(Rows.csv(Rows.many(2000)));
        Path file = write(Arrays.copyOf(whole, whole.length / 2));

        assertThat(execute("demo", "--work", "0", "--file", file.toString())).isZero();
        assertThat(err.toString()).contains("the file breaks off here (the gzip data is truncated)");
        assertThat(execute("demo", "--work", "0", "--strict", "--file", file.toString()))
                .isEqualTo(2);
    }

    @Test
    void demo_missingFile_exitsTwo() {
        assertThat(execute("demo", "--file", directory.resolve("missing").toString()))
                .isEqualTo(2);
        assertThat(err.toString()).startsWith("spindle demo: ").contains("no such file");
    }

    @ParameterizedTest
    @CsvSource({
        "--work, -1",
        "--work, many",
        "--threads, 0",
        "--threads, 1025",
        "--hash, 0",
        "--lookup, -1",
        "--overrun, -1",
        "--limit, 0",
        "--year, 1900",
        "--speed, fast",
        "--speed, 0",
        "--nonsense, 1"
    })
    void demo_wrongOption_exitsTwoAndNamesIt(String option, String value) {
        assertThat(execute("demo", option, value)).isEqualTo(2);
        assertThat(err.toString()).contains(option).contains(value);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void demo_help_namesOptionsExamplesAndTheLicenceOfTheData() {
        assertThat(execute("demo", "--help")).isZero();
        assertThat(out.toString())
                .contains("--file", "--strict", "--work", "--threads", "--speed", "--limit", "--[no-]progress")
                .contains("Examples:", "Exit status:", "public domain", "Default: 4000")
                .contains("--lookup", "--[no-]announce", "--hash", "--overrun");
    }

    @Test
    void main_help_namesTheCommands() {
        assertThat(execute("--help")).isZero();
        assertThat(out.toString()).contains("demo", "example", "bench", "torture");
    }

    @Test
    void example_help_namesThePrograms() {
        assertThat(execute("example", "--help")).isZero();
        assertThat(out.toString()).contains("log", "orders", "market", "bank", "workers", "philosophers", "crawler");
    }

    @Test
    void example_alone_listsTheProgramsWithASentenceEach() {
        assertThat(execute("example")).isZero();
        List<String> rows =
                out.toString().lines().filter(line -> line.startsWith("  ")).toList();

        assertThat(rows)
                .hasSize(7)
                .allMatch(row -> row.matches("  [a-z]+ +[A-Z].*\\."))
                .anyMatch(row -> row.startsWith("  bank "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense"})
    void main_noOrUnknownCommand_exitsTwo(String command) {
        assertThat(command.isEmpty() ? execute() : execute(command)).isEqualTo(2);
        assertThat(err.toString()).contains("Try: spindle").doesNotContain("Usage:");
    }

    @Test
    void main_version_isPrinted() {
        assertThat(execute("--version")).isZero();
        assertThat(out.toString()).startsWith("spindle ");
    }

    private int execute(String... arguments) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        return commandLine.execute(arguments);
    }

    private Path write(byte[] content) throws IOException {
        return Files.write(directory.resolve("flights"), content);
    }
}
