// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.forks.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The folder of a run: its reports, and {@code forks.csv} with a line for each fork that gave figures, so that a run
 * which was broken off goes on with the others.
 */
final class RunFolder {
    private static final String MARK = "# ";
    private static final int LINES_OF_HEAD = 3;
    private static final int NAMES = 3;

    private final Path path;
    private final Path forks;
    private final List<String> fields;

    private RunFolder(Path path, List<String> fields) {
        this.path = path;
        this.fields = fields;
        forks = path.resolve("forks.csv");
    }

    /**
     * Opens the folder of a run that goes on, or begins one.
     *
     * @param terms what must be the same in all forks, beside the machine
     * @throws IllegalArgumentException if there is a run on another machine or on other terms, or something else
     */
    static RunFolder open(Path path, Comparison comparison, Machine machine, String terms, List<String> jvm)
            throws IOException {
        RunFolder folder = new RunFolder(
                path, comparison.figures().stream().map(Figure::field).toList());
        String head = MARK + comparison.name() + ", " + terms + ". " + machine.text();
        if (!Files.exists(folder.forks)) {
            Files.createDirectories(path);
            StringJoiner columns = new StringJoiner(",");
            List.of("round", "cell", "contender").forEach(columns::add);
            folder.fields.forEach(columns::add);
            folder.write("forks.csv", head + "\n" + MARK + String.join(" ", jvm) + "\n" + columns + "\n");
        } else if (folder.lines().size() < LINES_OF_HEAD) {
            throw new IllegalArgumentException("has a forks.csv that no run has written");
        } else if (!folder.lines().get(0).equals(head)) {
            throw new IllegalArgumentException(
                    "has a run of other terms: " + folder.lines().get(0).substring(MARK.length()));
        }
        return folder;
    }

    /** The arguments of the forks' JVMs, which stay the same when a run goes on. */
    List<String> jvm() throws IOException {
        String arguments = lines().get(1).substring(MARK.length());
        return arguments.isEmpty() ? List.of() : List.of(arguments.split(" ", -1));
    }

    /** The forks that gave figures. */
    List<ForkResult> measured(Comparison comparison) throws IOException {
        List<ForkResult> found = new ArrayList<>();
        List<String> lines = lines();
        for (String line : lines.subList(LINES_OF_HEAD, lines.size())) {
            String[] values = line.split(",", -1);
            if (values.length != NAMES + fields.size()) {
                throw new IllegalArgumentException("has a line in its forks.csv that no run has written: " + line);
            }
            Map<String, String> figures = new LinkedHashMap<>();
            for (int i = 0; i < fields.size(); i++) {
                if (!values[NAMES + i].isEmpty()) {
                    figures.put(fields.get(i), values[NAMES + i]);
                }
            }
            found.add(ForkResult.measured(
                    new ForkResult.Fork(
                            Integer.parseInt(values[0]), comparison.cell(values[1]), comparison.contender(values[2])),
                    Measurement.of(figures)));
        }
        return found;
    }

    void add(ForkResult result) throws IOException {
        Measurement measured = result.measurement();
        if (measured != null) {
            ForkResult.Fork fork = result.fork();
            StringJoiner line = new StringJoiner(",", "", "\n");
            line.add(Integer.toString(fork.round()))
                    .add(fork.cell().name())
                    .add(fork.contender().id());
            Map<String, String> figures = measured.fields();
            fields.forEach(field -> line.add(figures.getOrDefault(field, "")));
            Files.writeString(forks, line.toString(), StandardOpenOption.APPEND);
        }
    }

    void write(String name, String text) throws IOException {
        Files.writeString(path.resolve(name), text);
    }

    /** Without a last one that was not written to its end, which goes. */
    private List<String> lines() throws IOException {
        String text = Files.readString(forks);
        String whole = text.substring(0, text.lastIndexOf('\n') + 1);
        if (whole.length() < text.length()) {
            Files.writeString(forks, whole);
        }
        return whole.lines().toList();
    }
}
