// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

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
 * @param title what the report calls it
 * @param figures what its forks find beside the costs that every cell has; the first decides who is strongest
 * @param entrants who takes part, in the order of the rows
 */
public record Cell(
        String name, String title, List<Figure> figures, Effort effort, Map<Contender, Subject.Setup> entrants) {
    /** Less than a JVM takes to start. */
    private static final Duration START = Duration.ofMillis(600);

    public Cell {
        figures = List.copyOf(figures);
        entrants = Collections.unmodifiableMap(new LinkedHashMap<>(entrants));
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
        return scale.full() ? START.plus(effort.expected()) : START;
    }

    @Override
    public String toString() {
        return name;
    }
}
