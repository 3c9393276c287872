// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.forks.Machine;
import dev.spindle.benchmarks.forks.RawFile;
import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.pool.stage.Measurement;
import dev.spindle.benchmarks.report.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The folder of a run: its plan, its raw figures line by line as they come, and at the end the reports. What is in it is
 * enough to go on where a run was broken off.
 */
final class Folder {
    private static final String PLAN = "plan.csv";
    private static final String FORKS = "forks.csv";
    private static final List<String> COLUMNS =
            Arrays.stream(Figure.values()).map(Figure::field).toList();

    private final Path path;

    private Folder(Path path) {
        this.path = path;
    }

    /**
     * Begins a run.
     *
     * @throws IllegalArgumentException if a run is in the folder already
     */
    static Folder begin(Path path, Plan plan) throws IOException {
        if (Files.exists(path.resolve(FORKS))) {
            throw new IllegalArgumentException("--out: there is a run in '" + path
                    + "' already; continue it with --resume " + path + ", or name another folder");
        }
        Files.createDirectories(path); // now, rather than fail with all figures in hand
        Files.write(path.resolve(PLAN), plan.encode());
        Files.writeString(path.resolve(FORKS), RawFile.head(COLUMNS));
        return new Folder(path);
    }

    /** @throws IllegalArgumentException if no run is in the folder */
    static Folder existing(Path path) {
        if (!Files.exists(path.resolve(PLAN)) || !Files.exists(path.resolve(FORKS))) {
            throw new IllegalArgumentException("--resume: there is no " + PLAN + " with a " + FORKS + " in '" + path
                    + "'; name the folder of an earlier --out");
        }
        return new Folder(path);
    }

    /** @throws IllegalArgumentException if the file is not a plan of this version */
    Plan plan() throws IOException {
        try {
            return Plan.decode(Files.readAllLines(path.resolve(PLAN)));
        } catch (IllegalArgumentException e) {
            throw unreadable(PLAN, e);
        }
    }

    /**
     * The forks that gave figures; the others are worth another try, and their lines are removed.
     *
     * @throws IllegalArgumentException if the file is not of this version
     */
    List<ForkResult> measured() throws IOException {
        List<ForkResult> results = new ArrayList<>();
        try {
            for (RawFile.Row row : RawFile.parse(wholeLines())) {
                if (row.problem().isEmpty()) {
                    results.add(ForkResult.measured(
                            Plan.fork(Integer.toString(row.round()), row.cell(), row.contender()),
                            Measurement.of(row.fields())));
                }
            }
        } catch (IllegalArgumentException e) {
            throw unreadable(FORKS, e);
        }
        StringBuilder text = new StringBuilder(RawFile.head(COLUMNS));
        results.forEach(result -> text.append(line(result)));
        Files.writeString(path.resolve(FORKS), text);
        return results;
    }

    /** Adds a fork's line, so that a run that is broken off leaves its figures. */
    void add(ForkResult result) throws IOException {
        Files.writeString(path.resolve(FORKS), line(result), StandardOpenOption.APPEND);
    }

    /** Writes the reports. */
    void finish(Results results, Machine machine, Plan.Terms terms, String markdown, List<Verdict> verdicts)
            throws IOException {
        Files.writeString(path.resolve("report.md"), markdown);
        Files.writeString(path.resolve("report.html"), new HtmlReport(results, machine).page(verdicts));
        Files.writeString(path.resolve("results.json"), JsonReport.text(results, machine, terms, verdicts));
    }

    /** A run that was ended while it wrote may leave a line without its end. */
    private List<String> wholeLines() throws IOException {
        String text = Files.readString(path.resolve(FORKS));
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    private static String line(ForkResult result) {
        Measurement measurement = result.measurement();
        Map<String, String> fields = measurement == null ? Map.of() : measurement.fields();
        return RawFile.line(
                new RawFile.Row(
                        result.round(), result.cell().name(), result.contender().id(), result.problem(), fields),
                COLUMNS);
    }

    private IllegalArgumentException unreadable(String file, IllegalArgumentException cause) {
        return new IllegalArgumentException(
                "--resume: '" + path.resolve(file) + "' cannot be continued: " + cause.getMessage()
                        + "; begin anew with --out and another folder",
                cause);
    }
}
