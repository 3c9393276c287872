// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import java.util.Collection;

/** A suggestion for a mistyped name: the most similar known name. */
final class Suggestion {
    private Suggestion() {}

    /**
     * Returns {@code "; did you mean 'x'?"} for the most similar name of {@code known}, or an empty string if no name
     * is similar.
     */
    static String of(String name, Collection<String> known) {
        String best = "";
        int least = Math.max(1, Math.min(3, name.length() / 2)) + 1;
        for (String candidate : known) {
            int distance = distance(name, candidate);
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        return best.isEmpty() ? "" : "; did you mean '" + best + "'?";
    }

    /** Returns the number of single-letter edits between two words. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
