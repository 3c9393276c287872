// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.natives;

import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Fields;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.StalledException;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.measure.ThreadCosts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A contender that is a program in another language. For each line {@code pass} it runs a pass and answers with a line
 * of figures. It ends at the end of its input.
 */
final class NativeProgram implements Subject {
    private static final List<String> FIELDS =
            List.of("ops", "nanos", "cpu_nanos", "voluntary", "involuntary", "violations");
    private static final int END_SECONDS = 5;
    private static final int MOST_LINES = 5;

    private final String name;
    private final Process process;
    private final PrintWriter requests;
    private final BufferedReader answers;
    private Duration used = Duration.ZERO;

    /** @param name the name of the program in error messages */
    NativeProgram(String name, List<String> command) {
        this.name = name;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
        requests = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts the program of a language for one contender in a cell. */
    static Setup of(ToolChain chain, Contender contender, String cell) {
        return scale -> new NativeProgram(
                contender.title() + " in " + cell,
                List.of(chain.program().toString(), cell, contender.id(), Double.toString(scale.factor())));
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        requests.println("pass");
        String line = readLine();
        Map<String, Double> answer = line == null ? Map.of() : decode(line);
        if (!answer.keySet().containsAll(FIELDS)) {
            throw failed(line);
        }
        double[] values = FIELDS.stream()
                .mapToDouble(field -> answer.getOrDefault(field, Double.NaN))
                .toArray();
        recorder.value(Figure.OPS, values[0]);
        recorder.ran(values[0], values[1]);
        recorder.value(Figure.CPU, values[2] / values[0]);
        recorder.value(Figure.VOLUNTARY, values[3] / values[0]);
        recorder.value(Figure.INVOLUNTARY, values[4] / values[0]);
        recorder.violations((long) values[5]);
        recorder.value(Figure.THREADS, ThreadCosts.of(process.pid()).threads() - 1); // without its first thread
        Duration before = used;
        used = process.info().totalCpuDuration().orElse(used);
        recorder.hired(used.minus(before).toNanos());
    }

    private static Map<String, Double> decode(String line) {
        try {
            return Fields.decode(line);
        } catch (NumberFormatException e) {
            return Map.of();
        }
    }

    private @Nullable String readLine() {
        try {
            return answers.readLine();
        } catch (IOException e) {
            return null;
        }
    }

    /** Returns its output in place of figures, and its exit status. */
    private StalledException failed(@Nullable String first) throws InterruptedException {
        requests.close();
        List<String> said = new ArrayList<>();
        boolean ended = process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        for (String line = first; line != null && said.size() < MOST_LINES; line = ended ? readLine() : null) {
            said.add(line);
        }
        process.destroyForcibly();
        return new StalledException(name + " gave no figures"
                + (said.isEmpty() ? "" : ", said '" + String.join(" / ", said) + "'")
                + (ended ? ", and ended with " + process.exitValue() : ""));
    }

    @Override
    public void close() {
        requests.close();
        try {
            process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
