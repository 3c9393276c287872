// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The numbered invariants in the notes of classes, {@code Name-N}, and their citations. */
final class Invariants {
    private static final Pattern DEFINITION = Pattern.compile("^\\s*\\*\\s+(([A-Z][a-z]\\w*)-\\d+)\\s{2}");
    private static final Pattern CITATION =
            Pattern.compile("\\b([A-Z][a-z]\\w*)-(\\d+)(?!\\.?\\d)((?:(?:,| to| and) \\d+)*)\\b");
    private static final String AT = "at ";
    private static final Pattern NUMBER = Pattern.compile("(to )?(\\d+)");

    private Invariants() {}

    /** Returns the invariants that main sources define in the note of the class whose name they have. */
    static Set<String> defined(List<Source> sources) {
        Set<String> defined = new TreeSet<>();
        for (Source source : sources) {
            for (String line : source.lines()) {
                Matcher definition = DEFINITION.matcher(line);
                if (source.path().contains("/src/main/java/")
                        && definition.find()
                        && source.fileName().equals(definition.group(2) + ".java")) {
                    defined.add(requireNonNull(definition.group(1)));
                }
            }
        }
        return defined;
    }

    /** Returns the names at which a list of planted faults has a fault. */
    static Set<String> planted(List<String> faults) {
        Set<String> planted = new TreeSet<>();
        for (String line : faults) {
            if (line.startsWith(AT)) {
                planted.add(line.substring(AT.length()));
            }
        }
        return planted;
    }

    /**
     * Returns the citations that are not in {@code defined}, each with its place. {@code Name-N to M} cites several.
     */
    static List<String> undefined(List<Source> texts, Set<String> defined) {
        List<String> undefined = new ArrayList<>();
        for (Source text : texts) {
            for (int line = 0; line < text.lines().size(); line++) {
                Matcher citation = CITATION.matcher(text.lines().get(line));
                while (citation.find()) {
                    for (int number : numbers(citation)) {
                        String cited = citation.group(1) + "-" + number;
                        if (!defined.contains(cited)) {
                            undefined.add(text.path() + ":" + (line + 1) + ": " + cited);
                        }
                    }
                }
            }
        }
        return undefined;
    }

    private static List<Integer> numbers(Matcher citation) {
        List<Integer> numbers = new ArrayList<>();
        numbers.add(Integer.valueOf(requireNonNull(citation.group(2))));
        Matcher more = NUMBER.matcher(requireNonNull(citation.group(3)));
        while (more.find()) {
            int number = Integer.parseInt(requireNonNull(more.group(2)));
            int first = more.group(1) == null ? number : numbers.get(numbers.size() - 1) + 1;
            for (int next = first; next <= number; next++) {
                numbers.add(next);
            }
        }
        return numbers;
    }
}
