// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Programs;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.StalledException;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.compare.ThreadCosts;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A contender that is a program in Go or Rust, whose source is in {@code benchmarks/native}. The program is built
 * before the forks start. For each line {@code pass}, the program runs a pass and prints a line of figures. The program
 * ends at the end of its input.
 */
public final class NativeProgram implements Subject {
    private static final String FIRST = "ops=";
    private final String name;
    private final Figure figure;
    private final Programs.Dialogue program;
    private Duration used = Duration.ZERO;

    /** @param figure the time of a pass or of an operation, or the operations per second */
    NativeProgram(String name, Figure figure, List<String> command) {
        this.name = name;
        this.figure = figure;
        program = new Programs.Dialogue(name, new ProcessBuilder(command).redirectErrorStream(true));
    }

    /** Enters programs into a cell; the programs know the cell by its name. */
    public static Cell enter(Cell cell, Contender... programs) {
        for (Contender one : programs) {
            String file = ((ToolChain) one.requirement()).program().toString();
            cell.enter(one, scale -> {
                List<String> command = List.of(file, cell.name(), one.id(), Double.toString(scale.factor()));
                return new NativeProgram(
                        one.title() + " in " + cell, cell.figures().get(0), command);
            });
        }
        return cell;
    }

    @Override
    public void pass(Recorder recorder) {
        Map<String, Double> answer = Figure.decode(FIRST + program.ask("pass", FIRST));
        double ops = get(answer, "ops");
        double nanos = get(answer, "nanos");
        recorder.value(Figure.OPS, ops);
        recorder.ran(ops, nanos);
        if (figure.moreIsBetter()) {
            recorder.value(figure, ops * 1e9 / nanos);
        } else if (!figure.equals(Figure.NANOS)) {
            recorder.value(figure, figure.field().startsWith("ns_") ? nanos / ops : nanos / 1e6);
        }
        recorder.value(Figure.CPU, get(answer, "cpu_nanos") / ops);
        recorder.value(Figure.VOLUNTARY, get(answer, "voluntary") / ops);
        recorder.value(Figure.INVOLUNTARY, get(answer, "involuntary") / ops);
        recorder.violations((long) get(answer, "violations"));
        Process process = program.process();
        recorder.value(Figure.THREADS, ThreadCosts.of(process.pid()).threads() - 1); // without the main thread
        Duration before = used;
        used = process.info().totalCpuDuration().orElse(used);
        recorder.hired(used.minus(before).toNanos());
    }

    private double get(Map<String, Double> answer, String field) {
        Double value = answer.get(field);
        if (value == null) {
            throw new StalledException(name + " answered without " + field + ": " + answer);
        }
        return value;
    }

    @Override
    public void close() {
        program.close();
    }

    /** Builds the program of a language in its folder. This class is not thread-safe. */
    static final class ToolChain implements Contender.Requirement {
        private static final Path SOURCES =
                Programs.placeOf(ToolChain.class).resolve("../../native").normalize();
        static final ToolChain GO = new ToolChain(
                SOURCES.resolve("go"), "target/spindle-native", "go", "build", "-o", "target/spindle-native", ".");
        static final ToolChain RUST =
                new ToolChain(SOURCES.resolve("rust"), "target/release/spindle-native", "cargo", "build", "--release");
        private static final Duration LIMIT = Duration.ofMinutes(10);
        private final Path folder;
        private final Path program;
        private final List<String> build;
        private Optional<String> absence;

        /**
         * @param program the program that the tool builds, relative to the folder
         * @param build the name of the tool and its arguments
         */
        ToolChain(Path folder, String program, String... build) {
            this.folder = folder;
            this.program = folder.resolve(program);
            this.build = List.of(build);
            absence =
                    Optional.of("there is no " + this.program + " yet").filter(none -> !Files.isExecutable(program()));
        }

        /** Runs the tool. */
        @Override
        public void prepare(PrintWriter console) {
            console.println("Building contenders: " + String.join(" ", build));
            console.flush();
            try {
                ProcessBuilder process =
                        new ProcessBuilder(build).directory(folder.toFile()).redirectErrorStream(true);
                Programs.Output output = Programs.run(process, LIMIT);
                output.lines().forEach(line -> console.println("  " + line));
                absence = Optional.of("the build in " + folder + " ended with " + output.exit() + ", see above")
                        .filter(failed -> output.exit() != 0);
            } catch (IOException e) {
                absence =
                        Optional.of("there is no '" + build.get(0) + "' on the PATH; install it to have this compared");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                absence = Optional.of("the build was interrupted");
            }
        }

        @Override
        public Optional<String> absence() {
            return absence;
        }

        Path program() {
            return program;
        }
    }
}
