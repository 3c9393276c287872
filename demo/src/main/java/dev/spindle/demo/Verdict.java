// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Whether a run did what the run on one thread did: the same state of every aircraft field by field, the same last
 * boards, the same counts, and no move out of order.
 *
 * @param summary what was compared and came out equal, in one line
 * @param complaints what went wrong, empty if nothing did
 */
record Verdict(String summary, List<String> complaints) {

    Verdict {
        complaints = List.copyOf(complaints);
    }

    /** Compares a run with that on one thread, which may be the run itself. */
    static Verdict of(RunResult run, RunResult reference) {
        List<String> complaints = new ArrayList<>();
        int states = equalStates(run, reference, complaints);
        int boards = equalBoards(run, reference, complaints);
        boolean counts = run.counts().equals(reference.counts());
        if (!counts) {
            complaints.add("counts differ: " + run.counts() + " and not " + reference.counts());
        }
        if (run.violations() > 0) {
            complaints.add(String.format(Locale.ROOT, "%,d moves out of order or overlapping", run.violations()));
        }
        if (run.failures() > 0) {
            complaints.add(String.format(
                    Locale.ROOT, "%,d tasks failed, the first with %s", run.failures(), run.firstFailure()));
        }
        String summary = String.format(
                Locale.ROOT,
                "%,d of %,d aircraft equal (digest %s), last boards %d of %d equal, counts %s",
                states,
                reference.states().size(),
                StateDigest.of(run.states()),
                boards,
                reference.boards().size(),
                counts ? "equal" : "differ");
        return new Verdict(summary, complaints);
    }

    boolean passed() {
        return complaints.isEmpty();
    }

    private static int equalStates(RunResult run, RunResult reference, List<String> complaints) {
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < reference.states().size(); i++) {
            StateDifference.first(run.states().get(i), reference.states().get(i))
                    .ifPresent(differences::add);
        }
        if (!differences.isEmpty()) {
            complaints.add(String.format(
                    Locale.ROOT, "%,d states differ; the first is %s", differences.size(), differences.get(0)));
        }
        return reference.states().size() - differences.size();
    }

    private static int equalBoards(RunResult run, RunResult reference, List<String> complaints) {
        int equal = 0;
        for (Map.Entry<String, String> board : reference.boards().entrySet()) {
            if (Objects.equals(board.getValue(), run.boards().get(board.getKey()))) {
                equal++;
            } else {
                complaints.add("the last board of " + board.getKey() + " differs");
            }
        }
        return equal;
    }
}
