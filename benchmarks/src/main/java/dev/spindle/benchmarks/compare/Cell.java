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
 * One workload of a comparison, and the contenders that run it.
 *
 * @param figures the figures that the forks measure in addition to the costs; the first figure determines the best
 *         contender
 * @param group a name shared by several cells, by which the command line selects all of them
 * @param quota the processor time that a fork may use per second, in seconds; 0 for no limit
 * @param jvm the JVM arguments of the forks, in addition to those of the comparison
 * @param entrants the contenders in the order of the report; not changed after the first use of the cell
 */
public record Cell(
        String name,
        String title,
        Effort effort,
        List<Figure> figures,
        String group,
        double quota,
        List<String> jvm,
        Map<Contender, Subject.Setup> entrants) {
    private static final Duration START = Duration.ofMillis(600);
    /** The divisor of the expected time of a scaled-down fork. */
    private static final int SCALED_DOWN = 4;

    private static final String NO_QUOTA =
            "no control group with a processor quota can be made here; that takes Linux, and root or a delegated group";

    public Cell(String name, String title, Effort effort, List<Figure> figures) {
        this(name, title, effort, List.copyOf(figures), name, 0, List.of(), new LinkedHashMap<>());
    }

    public Cell(String name, String title, Effort effort, Figure... figures) {
        this(name, title, effort, List.of(figures));
    }

    public Cell group(String shared) {
        return new Cell(name, title, effort, figures, shared, quota, jvm, entrants);
    }

    public Cell quota(double processors) {
        return new Cell(name, title, effort, figures, group, processors, jvm, entrants);
    }

    public Cell jvm(String... arguments) {
        return new Cell(name, title, effort, figures, group, quota, List.of(arguments), entrants);
    }

    public Cell enter(Contender contender, Subject.Setup setup) {
        entrants.put(contender, setup);
        return this;
    }

    public <M> Cell enterAll(Map<Contender, M> makers, BiFunction<M, Subject.Scale, Subject> subject) {
        makers.forEach((contender, maker) -> enter(contender, scale -> subject.apply(maker, scale)));
        return this;
    }

    public Set<Contender> contenders() {
        return entrants.keySet();
    }

    List<Contender> of(Contender.Family family) {
        return contenders().stream().filter(one -> one.family() == family).toList();
    }

    /** Returns the reason for which this machine cannot run the cell, or empty if the machine can. */
    public Optional<String> absence() {
        if (quota == 0) {
            return Optional.empty();
        }
        Optional<ControlGroup> tried = ControlGroup.of(quota);
        tried.ifPresent(ControlGroup::close);
        return tried.isPresent() ? Optional.empty() : Optional.of(NO_QUOTA);
    }

    /**
     * Opens the subject of a contender.
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

    /** Returns the approximate time of a fork on a machine with few processors and no other load. */
    Duration expected(Subject.Scale scale) {
        return START.plus(scale.full() ? effort.expected() : effort.expected().dividedBy(SCALED_DOWN));
    }

    @Override
    public String toString() {
        return name;
    }
}
