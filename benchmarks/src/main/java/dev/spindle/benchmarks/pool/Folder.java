// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.forks.Machine;
import dev.spindle.benchmarks.forks.RawFile;
import dev.spindle.benchmarks.forks.RunFolder;
import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.pool.stage.Measurement;
import dev.spindle.benchmarks.report.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The folder of a run with its plan, its figures and its reports. */
final class Folder {
    private static final List<String> COLUMNS =
            Arrays.stream(Figure.values()).map(Figure::field).toList();

    private final RunFolder files;

    private Folder(RunFolder files) {
        this.files = files;
    }

    /**
     * Begins a run.
     *
     * @throws IllegalArgumentException if a run is in the folder already
     */
    static Folder begin(Path path, Machine machine, Plan plan) throws IOException {
        List<RunFolder.Planned> forks = plan.forks().stream()
                .map(fork -> new RunFolder.Planned(
                        fork.round(), fork.cell().name(), fork.contender().id()))
                .toList();
        return new Folder(RunFolder.begin(path, machine, plan.terms().fields(), forks, COLUMNS));
    }

    /** @throws IllegalArgumentException if no run is in the folder, or it is of another machine */
    static Folder existing(Path path, Machine machine) throws IOException {
        return new Folder(RunFolder.existing(path, machine, COLUMNS));
    }

    /** @throws IllegalArgumentException if there is no plan of this version */
    Plan plan() throws IOException {
        Plan.Terms terms =
                Plan.Terms.of(files.term(Plan.Terms.QUICK), files.term(Plan.Terms.STEPS), files.term(Plan.Terms.FUTEX));
        return new Plan(terms, files.forks(fork -> Plan.fork(fork.round(), fork.cell(), fork.contender())));
    }

    /**
     * The forks that gave figures; the others are worth another try.
     *
     * @throws IllegalArgumentException if they are not of this version
     */
    List<ForkResult> measured() throws IOException {
        return files.measured(row ->
                ForkResult.measured(Plan.fork(row.round(), row.cell(), row.contender()), Measurement.of(row.fields())));
    }

    /** Adds a fork's line, so that a run that is broken off leaves its figures. */
    void add(ForkResult result) throws IOException {
        Measurement measurement = result.measurement();
        Map<String, String> fields = measurement == null ? Map.of() : measurement.fields();
        files.add(new RawFile.Row(
                result.round(), result.cell().name(), result.contender().id(), result.problem(), fields));
    }

    /** Writes the reports. */
    void finish(Results results, Machine machine, Plan.Terms terms, String markdown, List<Verdict> verdicts)
            throws IOException {
        files.write("report.md", markdown);
        files.write("report.html", new HtmlReport(results, machine).page(verdicts));
        files.write("results.json", JsonReport.text(results, machine, terms, verdicts));
    }
}
