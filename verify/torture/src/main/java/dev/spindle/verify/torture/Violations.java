// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts the violations of each promise, and keeps the descriptions of the first ones. */
final class Violations {
    private static final int MOST_TOLD = 20;

    private final Map<Promise, Integer> counts = new EnumMap<>(Promise.class);
    private final List<String> told = new ArrayList<>();

    void add(Promise promise, String what) {
        counts.merge(promise, 1, Integer::sum);
        if (told.size() < MOST_TOLD) {
            told.add(promise + ": " + what);
        }
    }

    boolean isEmpty() {
        return counts.isEmpty();
    }

    Map<Promise, Integer> counts() {
        return counts;
    }

    /** Returns the descriptions of the first violations. */
    List<String> told() {
        return told;
    }

    /** Returns a line for each broken promise, followed by the descriptions of the first violations. */
    String text() {
        StringBuilder text = new StringBuilder();
        counts.forEach((promise, count) -> text.append("  ")
                .append(promise.text())
                .append(": broken ")
                .append(count)
                .append(" times\n"));
        told.forEach(one -> text.append("    ").append(one).append('\n'));
        return text.toString();
    }

    @Override
    public String toString() {
        return counts + " " + told;
    }
}
