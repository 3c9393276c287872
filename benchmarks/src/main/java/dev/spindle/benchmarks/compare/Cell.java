// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.forks.CpuQuota;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One row of questions: a workload, and who is asked.
 *
 * @param name what {@code --cells} calls it
 * @param group what {@code --cells} calls it and its like
 * @param title what the report calls it
 * @param figures what its forks find beside the costs that every cell has; the first decides who is strongest
 * @param quota how many processors' worth of time its forks get; 0 for all there is
 * @param entrants who takes part, in the order of the rows
 */
public record Cell(
        String name,
        String group,
        String title,
        List<Figure> figures,
        Effort effort,
        double quota,
        Map<Contender, Subject.Setup> entrants) {
    /** Less than a JVM takes to start. */
    private static final Duration START = Duration.ofMillis(600);

    /** Of the time of a fork, so much less is that of a scaled-down one, at least. */
    private static final int SCALED_DOWN = 4;

    private static final String NO_QUOTA =
            "no control group with a processor quota can be made here; that takes Linux, and root or a delegated group";

    public Cell {
        figures = List.copyOf(figures);
        entrants = Collections.unmodifiableMap(new LinkedHashMap<>(entrants));
    }

    /** A cell that is the only one of its group and has the whole machine. */
    public Cell(
            String name, String title, List<Figure> figures, Effort effort, Map<Contender, Subject.Setup> entrants) {
        this(name, name, title, figures, effort, 0, entrants);
    }

    /** Who takes part, in the order of the rows. */
    public Set<Contender> contenders() {
        return entrants.keySet();
    }

    /** Who does the same work without any hand-over; empty where nobody can. */
    Optional<Contender> limit() {
        return contenders().stream()
                .filter(contender -> contender.family() == Contender.Family.LIMIT)
                .findFirst();
    }

    List<Contender> peers() {
        return contenders().stream()
                .filter(contender -> contender.family() == Contender.Family.PEER)
                .toList();
    }

    /** Why this machine cannot run it; empty when it can. Tries it. */
    Optional<String> absence() {
        if (quota == 0) {
            return Optional.empty();
        }
        Optional<CpuQuota> tried = CpuQuota.open(quota);
        tried.ifPresent(CpuQuota::close);
        return tried.isPresent() ? Optional.empty() : Optional.of(NO_QUOTA);
    }

    /**
     * Makes a contender ready.
     *
     * @throws IllegalArgumentException if it takes no part
     */
    public Subject open(Contender contender, Subject.Scale scale) {
        Subject.Setup setup = entrants.get(contender);
        if (setup == null) {
            throw new IllegalArgumentException(contender.id() + " takes no part in " + name);
        }
        return setup.open(scale);
    }

    /** About how long a fork takes on an undisturbed machine with few processors. */
    Duration expected(Subject.Scale scale) {
        return START.plus(scale.full() ? effort.expected() : effort.expected().dividedBy(SCALED_DOWN));
    }

    @Override
    public String toString() {
        return name;
    }
}
