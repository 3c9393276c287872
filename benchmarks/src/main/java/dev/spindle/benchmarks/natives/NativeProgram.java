// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.natives;

import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Fields;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Programs;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.StalledException;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.measure.ThreadCosts;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A contender that is a program in another language. For each line {@code pass}, the program runs a pass and prints a
 * line of figures. The program ends at the end of its input.
 */
final class NativeProgram implements Subject {
    private static final String FIRST = "ops=";
    private final String name;
    private final Programs.Dialogue program;
    private Duration used = Duration.ZERO;

    NativeProgram(String name, List<String> command) {
        this.name = name;
        program = new Programs.Dialogue(name, new ProcessBuilder(command).redirectErrorStream(true));
    }

    static Setup of(ToolChain chain, Contender contender, String cell) {
        return scale -> new NativeProgram(
                contender.title() + " in " + cell,
                List.of(chain.program().toString(), cell, contender.id(), Double.toString(scale.factor())));
    }

    @Override
    public void pass(Recorder recorder) {
        Map<String, Double> answer = Fields.decode(FIRST + program.ask("pass", FIRST));
        double ops = get(answer, "ops");
        recorder.value(Figure.OPS, ops);
        recorder.ran(ops, get(answer, "nanos"));
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
}
