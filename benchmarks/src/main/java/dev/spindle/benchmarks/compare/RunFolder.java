// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The folder of a run: {@code report.md}, and {@code forks.csv} with a line for each fork that has figures. An
 * interrupted run resumes from that file.
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
     * Opens the folder of a run to resume it, or begins a new run.
     *
     * @param terms the conditions that must be the same in all forks, besides the machine
     * @throws IllegalArgumentException if the folder contains a run on another machine or on other terms, or other
     *     files
     */
    static RunFolder open(Path path, Comparison comparison, String terms, List<String> jvm) throws IOException {
        RunFolder folder = new RunFolder(
                path, comparison.figures().stream().map(Figure::field).toList());
        String head = MARK + comparison.name() + ", " + terms + ". " + Machine.text();
        if (!Files.exists(folder.forks)) {
            Files.createDirectories(path);
            String columns = "round,cell,contender," + String.join(",", folder.fields);
            folder.write("forks.csv", head + "\n" + MARK + String.join(" ", jvm) + "\n" + columns + "\n");
        } else if (folder.lines().size() < LINES_OF_HEAD) {
            throw new IllegalArgumentException("has a forks.csv that no run has written");
        } else if (!folder.lines().get(0).equals(head)) {
            throw new IllegalArgumentException(
                    "has a run of other terms: " + folder.lines().get(0).substring(MARK.length()));
        }
        return folder;
    }

    /** Returns the arguments of the forks' JVMs, which stay the same when a run is resumed. */
    List<String> jvm() throws IOException {
        String arguments = lines().get(1).substring(MARK.length());
        return arguments.isEmpty() ? List.of() : List.of(arguments.split(" ", -1));
    }

    /** Returns the forks that have figures. */
    List<ForkResult> measured(Comparison comparison) throws IOException {
        List<ForkResult> found = new ArrayList<>();
        List<String> lines = lines();
        for (String line : lines.subList(LINES_OF_HEAD, lines.size())) {
            String[] words = line.split(",", -1);
            if (words.length != NAMES + fields.size()) {
                throw new IllegalArgumentException("has a line in its forks.csv that no run has written: " + line);
            }
            Map<String, Double> values = new LinkedHashMap<>();
            for (int i = 0; i < fields.size(); i++) {
                if (!words[NAMES + i].isEmpty()) {
                    values.put(fields.get(i), Double.valueOf(words[NAMES + i]));
                }
            }
            ForkResult.Fork fork = new ForkResult.Fork(
                    Integer.parseInt(words[0]), comparison.cell(words[1]), comparison.contender(words[2]));
            found.add(ForkResult.measured(fork, values));
        }
        return found;
    }

    void add(ForkResult result) throws IOException {
        if (result.measured()) {
            ForkResult.Fork fork = result.fork();
            List<String> words = new ArrayList<>();
            words.add(Integer.toString(fork.round()));
            words.add(fork.cell().name());
            words.add(fork.contender().id());
            for (String field : fields) {
                Double value = result.values().get(field);
                words.add(value == null ? "" : Fields.number(value));
            }
            Files.writeString(forks, String.join(",", words) + "\n", StandardOpenOption.APPEND);
        }
    }

    void write(String name, String text) throws IOException {
        Files.writeString(path.resolve(name), text);
    }

    /** Returns the lines, and removes an incomplete last line. */
    private List<String> lines() throws IOException {
        String text = Files.readString(forks);
        String whole = text.substring(0, text.lastIndexOf('\n') + 1);
        if (whole.length() < text.length()) {
            Files.writeString(forks, whole);
        }
        return whole.lines().toList();
    }
}
