// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the name that was probably meant. */
final class Spelling {
    /** The number of letters by which a name may differ. Not measured. */
    private static final int MOST = 3;

    private Spelling() {}

    /** Returns the name of {@code known} that is nearest to {@code name}, or null if none is near. */
    static @Nullable String nearest(String name, List<String> known) {
        return known.stream()
                .filter(one -> distance(name, one) <= MOST)
                .min(Comparator.comparingInt(one -> distance(name, one)))
                .orElse(null);
    }

    /** Returns how many letters have to be inserted, removed or replaced (Levenshtein). */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
