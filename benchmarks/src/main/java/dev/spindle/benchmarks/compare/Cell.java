// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * A row of a question: a workload, and the contenders that take part.
 *
 * @param figures the figures that its forks find besides the costs; the first decides which contender is best
 * @param group a name that several cells share
 * @param quota the processor time that its forks get, as a number of processors; 0 for all
 * @param entrants the contenders in the order of the rows; filled before the cell is used
 */
public record Cell(
        String name,
        String title,
        Effort effort,
        List<Figure> figures,
        String group,
        double quota,
        Map<Contender, Subject.Setup> entrants) {
    /** A time longer than the start of a JVM. */
    private static final Duration START = Duration.ofMillis(600);
    /** The largest part of a fork's time that a scaled-down fork takes. */
    private static final int SCALED_DOWN = 4;

    private static final String NO_QUOTA =
            "no control group with a processor quota can be made here; that takes Linux, and root or a delegated group";

    public Cell(String name, String title, Effort effort, List<Figure> figures) {
        this(name, title, effort, List.copyOf(figures), name, 0, new LinkedHashMap<>());
    }

    public Cell(String name, String title, Effort effort, Figure... figures) {
        this(name, title, effort, List.of(figures));
    }

    /** Returns this cell in a group. */
    public Cell group(String shared) {
        return new Cell(name, title, effort, figures, shared, quota, entrants);
    }

    /** Returns this cell with a number of processors for its forks. */
    public Cell quota(double processors) {
        return new Cell(name, title, effort, figures, group, processors, entrants);
    }

    /** Adds a contender. */
    public Cell enter(Contender contender, Subject.Setup setup) {
        entrants.put(contender, setup);
        return this;
    }

    /** Adds contenders, each with its own maker. */
    public <M> Cell enterAll(Map<Contender, M> makers, BiFunction<M, Subject.Scale, Subject> subject) {
        makers.forEach((contender, maker) -> enter(contender, scale -> subject.apply(maker, scale)));
        return this;
    }

    public Set<Contender> contenders() {
        return entrants.keySet();
    }

    /** Returns the contenders of a family. */
    List<Contender> of(Contender.Family family) {
        return contenders().stream().filter(one -> one.family() == family).toList();
    }

    /** Returns the reason for which this machine cannot run the cell; empty if it can. */
    public Optional<String> absence() {
        if (quota == 0) {
            return Optional.empty();
        }
        Optional<ControlGroup> tried = ControlGroup.of(quota);
        tried.ifPresent(ControlGroup::close);
        return tried.isPresent() ? Optional.empty() : Optional.of(NO_QUOTA);
    }

    /**
     * Opens a contender.
     *
     * @throws IllegalArgumentException if the contender does not take part
     */
    public Subject open(Contender contender, Subject.Scale scale) {
        Subject.Setup setup = entrants.get(contender);
        if (setup == null) {
            throw new IllegalArgumentException(contender.id() + " takes no part in " + name);
        }
        return setup.open(scale);
    }

    /** Returns the approximate time of a fork on an undisturbed machine with few processors. */
    Duration expected(Subject.Scale scale) {
        return START.plus(scale.full() ? effort.expected() : effort.expected().dividedBy(SCALED_DOWN));
    }

    @Override
    public String toString() {
        return name;
    }
}
