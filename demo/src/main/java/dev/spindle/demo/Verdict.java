// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import dev.spindle.demo.flights.AircraftState;
import dev.spindle.demo.flights.StateDifference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The faults of a run: missing or misordered events, failed tasks, and aircraft whose final state differs from the
 * expected state.
 *
 * @param failures the broken promises of the contender
 * @param notes the faults that break no promise of the contender
 */
record Verdict(List<String> failures, List<String> notes) {

    Verdict {
        failures = List.copyOf(failures);
        notes = List.copyOf(notes);
    }

    /** Compares a run with the expected final states of all aircraft. */
    static Verdict of(RunResult run, List<AircraftState> expected) {
        List<String> failures = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        List<String> order = run.promisesOrder() ? failures : notes;
        Figures figures = run.figures();
        if (run.failures() > 0) {
            failures.add(String.format(
                    Locale.ROOT, "tasks failed: %,d, the first with %s", run.failures(), run.firstFailure()));
        }
        if (figures.outOfOrder() > 0) {
            order.add(String.format(
                    Locale.ROOT,
                    "events out of order: %,d%s",
                    figures.outOfOrder(),
                    run.promisesOrder() ? "" : ", which it does not promise to keep"));
        }
        if (figures.missing() > 0) {
            failures.add(String.format(Locale.ROOT, "events lost: %,d", figures.missing()));
        }
        if (figures.givenUp() > 0) {
            notes.add(String.format(
                    Locale.ROOT,
                    "too slow for these arrivals: stopped after %.1f s; events left: %,d",
                    figures.wallNanos() / 1e9,
                    figures.givenUp()));
        } else {
            compareStates(run.states(), expected, order);
        }
        return new Verdict(failures, notes);
    }

    boolean passed() {
        return failures.isEmpty();
    }

    private static void compareStates(List<AircraftState> actual, List<AircraftState> expected, List<String> order) {
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < expected.size(); i++) {
            StateDifference.first(actual.get(i), expected.get(i)).ifPresent(differences::add);
        }
        if (!differences.isEmpty()) {
            order.add(String.format(
                    Locale.ROOT,
                    "aircraft in another state than after the same events one by one: %,d; the first is %s",
                    differences.size(),
                    differences.get(0)));
        }
    }
}
