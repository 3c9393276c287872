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
import java.util.stream.Collectors;

/**
 * The folder of a run, which contains {@code report.md} and {@code forks.csv}. An interrupted run resumes from
 * {@code forks.csv}, which has a line for each fork with values.
 *
 * @param fields the columns of {@code forks.csv} after round, cell and contender
 */
record RunFolder(Path path, List<String> fields) {
    private static final String FORKS = "forks.csv";
    private static final String MARK = "# ";
    private static final int LINES_OF_HEAD = 3;
    private static final int NAMES = 3;

    /**
     * Opens a folder, and creates {@code forks.csv} if it does not exist.
     *
     * @param terms the conditions that all forks share, apart from the machine
     * @throws IllegalArgumentException if the folder's run has other terms or another machine, or if its
     *     {@code forks.csv} is invalid
     */
    static RunFolder open(Path path, Comparison comparison, String terms, List<String> jvm) throws IOException {
        RunFolder folder = new RunFolder(
                path, comparison.figures().stream().map(Figure::field).toList());
        String head = MARK + comparison.name() + ", " + terms + ". " + Report.machine();
        if (!Files.exists(path.resolve(FORKS))) {
            Files.createDirectories(path);
            String columns = "round,cell,contender," + String.join(",", folder.fields);
            folder.write(FORKS, head + "\n" + MARK + String.join(" ", jvm) + "\n" + columns + "\n");
        }
        List<String> lines = folder.lines();
        if (lines.size() < LINES_OF_HEAD) {
            throw new IllegalArgumentException("has a forks.csv that no run has written");
        } else if (!lines.get(0).equals(head)) {
            throw new IllegalArgumentException(
                    "has a run of other terms: " + lines.get(0).substring(MARK.length()));
        }
        return folder;
    }

    List<String> jvm() throws IOException {
        String arguments = lines().get(1).substring(MARK.length());
        return arguments.isEmpty() ? List.of() : List.of(arguments.split(" ", -1));
    }

    List<ForkResult> measured(Comparison comparison) throws IOException {
        List<ForkResult> found = new ArrayList<>();
        for (String line : lines().stream().skip(LINES_OF_HEAD).toList()) {
            String[] words = line.split(",", -1);
            if (words.length != NAMES + fields.size()) {
                throw new IllegalArgumentException("has a line in its forks.csv that no run has written: " + line);
            }
            Map<String, Double> values = new LinkedHashMap<>();
            for (int i = NAMES; i < words.length; i++) {
                if (!words[i].isEmpty()) {
                    values.put(fields.get(i - NAMES), Double.valueOf(words[i]));
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
            String figures = fields.stream()
                    .map(field -> {
                        Double value = result.values().get(field);
                        return value == null ? "" : Figure.number(value);
                    })
                    .collect(Collectors.joining(","));
            String line = fork.round() + "," + fork.cell() + "," + fork.contender() + "," + figures + "\n";
            Files.writeString(path.resolve(FORKS), line, StandardOpenOption.APPEND);
        }
    }

    void write(String name, String text) throws IOException {
        Files.writeString(path.resolve(name), text);
    }

    /** Returns the lines of {@code forks.csv}, after removing an incomplete last line. */
    private List<String> lines() throws IOException {
        String text = Files.readString(path.resolve(FORKS));
        String whole = text.substring(0, text.lastIndexOf('\n') + 1);
        if (whole.length() < text.length()) {
            write(FORKS, whole);
        }
        return whole.lines().toList();
    }
}
