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

/** A row of a question: a workload, and the contenders that take part. It is filled before it is used. */
public final class Cell {
    /** A time longer than the start of a JVM. */
    private static final Duration START = Duration.ofMillis(600);
    /** The largest part of a fork's time that a scaled-down fork takes. */
    private static final int SCALED_DOWN = 4;

    private static final String NO_QUOTA =
            "no control group with a processor quota can be made here; that takes Linux, and root or a delegated group";

    private final String name;
    private final String title;
    private final Effort effort;
    private final List<Figure> figures;
    private final Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
    private String group;
    private double quota;

    /** @param figures the figures that its forks find besides the costs; the first decides which contender is best */
    public Cell(String name, String title, Effort effort, List<Figure> figures) {
        this.name = name;
        this.title = title;
        this.effort = effort;
        this.figures = List.copyOf(figures);
        group = name;
    }

    public Cell(String name, String title, Effort effort, Figure... figures) {
        this(name, title, effort, List.of(figures));
    }

    /** Sets a name that several cells share. */
    public Cell group(String shared) {
        group = shared;
        return this;
    }

    /** Sets the processor time that its forks get, as a number of processors. */
    public Cell quota(double processors) {
        quota = processors;
        return this;
    }

    /** Adds a contender; rows come in the order in which they are added. */
    public Cell enter(Contender contender, Subject.Setup setup) {
        entrants.put(contender, setup);
        return this;
    }

    /** Adds contenders, each with its own maker. */
    public <M> Cell enterAll(Map<Contender, M> makers, BiFunction<M, Subject.Scale, Subject> subject) {
        makers.forEach((contender, maker) -> enter(contender, scale -> subject.apply(maker, scale)));
        return this;
    }

    public String name() {
        return name;
    }

    public String group() {
        return group;
    }

    public String title() {
        return title;
    }

    public List<Figure> figures() {
        return figures;
    }

    Effort effort() {
        return effort;
    }

    double quota() {
        return quota;
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
