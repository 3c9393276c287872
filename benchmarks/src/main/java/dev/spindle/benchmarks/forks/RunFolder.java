// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The folder of a run: its plan, its raw figures line by line as they come, and whatever reports are written at the end. What is
 * in it is enough to go on where a run was broken off.
 */
public final class RunFolder {
    private static final String PLAN = "plan.csv";
    private static final String FORKS = "forks.csv";
    private static final String HEAD = "round,cell,contender";
    private static final int COLUMNS = 3;
    private static final String JAVA = "java";
    private static final String PROCESSORS = "processors";

    private final Path path;
    private final List<String> columns;

    private RunFolder(Path path, List<String> columns) {
        this.path = path;
        this.columns = List.copyOf(columns);
    }

    /** A fork to run. */
    public record Planned(int round, String cell, String contender) {}

    /**
     * Begins a run.
     *
     * @param terms what must be the same in all forks, beside the machine; names and values without blanks
     * @param columns the figures that forks may have
     * @throws IllegalArgumentException if a run is in the folder already
     */
    public static RunFolder begin(
            Path path, Machine machine, Map<String, String> terms, List<Planned> forks, List<String> columns)
            throws IOException {
        if (Files.exists(path.resolve(FORKS))) {
            throw new IllegalArgumentException("--out: there is a run in '" + path
                    + "' already; continue it with --resume " + path + ", or name another folder");
        }
        List<String> lines = new ArrayList<>();
        Map<String, String> here = Map.of(JAVA, machine.java(), PROCESSORS, Integer.toString(machine.processors()));
        lines.add("# " + Fields.encode(here) + " " + Fields.encode(terms));
        lines.add(HEAD);
        forks.forEach(fork -> lines.add(fork.round() + "," + fork.cell() + "," + fork.contender()));
        Files.createDirectories(path); // now, rather than fail with all figures in hand
        Files.write(path.resolve(PLAN), lines);
        Files.writeString(path.resolve(FORKS), RawFile.head(columns));
        return new RunFolder(path, columns);
    }

    /**
     * Goes on with a run.
     *
     * @throws IllegalArgumentException if there is none in the folder, or it is of another machine
     */
    public static RunFolder existing(Path path, Machine machine, List<String> columns) throws IOException {
        if (!Files.exists(path.resolve(PLAN)) || !Files.exists(path.resolve(FORKS))) {
            throw new IllegalArgumentException("--resume: there is no " + PLAN + " with a " + FORKS + " in '" + path
                    + "'; name the folder of an earlier --out");
        }
        RunFolder folder = new RunFolder(path, columns);
        String java = folder.term(JAVA);
        String processors = folder.term(PROCESSORS);
        if (!java.equals(machine.java()) || !processors.equals(Integer.toString(machine.processors()))) {
            throw new IllegalArgumentException("--resume: the run in '" + path + "' is of Java " + java + " on "
                    + processors + " processors, this is Java " + machine.java() + " on " + machine.processors()
                    + "; go on with the former, or begin anew with --out and another folder");
        }
        return folder;
    }

    /**
     * One of the terms.
     *
     * @throws IllegalArgumentException if the plan has no such term
     */
    public String term(String name) throws IOException {
        String value = Fields.decode(plan().get(0).replace("#", "")).get(name);
        if (value == null) {
            throw unreadable(PLAN, new IllegalArgumentException("no '" + name + "' in its first line"));
        }
        return value;
    }

    /**
     * All forks of the plan.
     *
     * @param maker throws an {@code IllegalArgumentException} for a cell or contender that is none
     * @throws IllegalArgumentException if the plan is not one of this version
     */
    public <F> List<F> forks(Function<Planned, F> maker) throws IOException {
        List<String> lines = plan();
        List<F> forks = new ArrayList<>();
        try {
            for (String line : lines.subList(2, lines.size())) {
                String[] words = line.split(",", -1);
                if (words.length != COLUMNS) {
                    throw new IllegalArgumentException("'" + line + "' is not " + HEAD);
                }
                forks.add(maker.apply(new Planned(Integer.parseInt(words[0]), words[1], words[2])));
            }
        } catch (IllegalArgumentException e) {
            throw unreadable(PLAN, e);
        }
        return forks;
    }

    /**
     * The forks that gave figures; the others are worth another try, and their lines are removed.
     *
     * @param maker throws an {@code IllegalArgumentException} for a cell or contender that is none
     * @throws IllegalArgumentException if the figures are not of this version
     */
    public <R> List<R> measured(Function<RawFile.Row, R> maker) throws IOException {
        List<R> results = new ArrayList<>();
        StringBuilder kept = new StringBuilder(RawFile.head(columns));
        try {
            for (RawFile.Row row : RawFile.parse(wholeLines())) {
                if (row.problem().isEmpty()) {
                    results.add(maker.apply(row));
                    kept.append(RawFile.line(row, columns));
                }
            }
        } catch (IllegalArgumentException e) {
            throw unreadable(FORKS, e);
        }
        Files.writeString(path.resolve(FORKS), kept);
        return results;
    }

    /** Adds a fork's line, so that a run that is broken off leaves its figures. */
    public void add(RawFile.Row row) throws IOException {
        Files.writeString(path.resolve(FORKS), RawFile.line(row, columns), StandardOpenOption.APPEND);
    }

    /** Writes a report; an earlier one of the name is replaced. */
    public void write(String name, String text) throws IOException {
        Path file = path.resolve(name);
        Path folder = file.getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Files.writeString(file, text);
    }

    private List<String> plan() throws IOException {
        List<String> lines = Files.readAllLines(path.resolve(PLAN));
        if (lines.size() < 2) {
            throw unreadable(
                    PLAN,
                    new IllegalArgumentException("it has " + lines.size() + " lines, and the first two are its head"));
        }
        return lines;
    }

    /** A run that was ended while it wrote may leave a line without its end. */
    private List<String> wholeLines() throws IOException {
        String text = Files.readString(path.resolve(FORKS));
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    private IllegalArgumentException unreadable(String file, IllegalArgumentException cause) {
        return new IllegalArgumentException(
                "--resume: '" + path.resolve(file) + "' cannot be continued: " + cause.getMessage()
                        + "; begin anew with --out and another folder",
                cause);
    }
}
