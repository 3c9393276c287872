// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.mutations;

import java.util.ArrayList;
import java.util.List;

/**
 * A fault that is planted in a source file, and the test that must detect it.
 *
 * @param name a description of the fault in words joined by hyphens
 * @param why the effect of the fault
 * @param file the path of the source file below {@code dev/spindle}, or below the root if the path begins with
 *         {@code verify/}
 * @param place the lines that are replaced
 * @param with the lines that replace them
 * @param catcher the test that must detect the fault
 */
record Mutation(String name, String why, String file, Place place, List<String> with, Catcher catcher) {
    private static final List<String> MESSAGING = List.of("actor", "channel", "messaging", "pipeline");
    /** Modules that have the name of their package. */
    private static final List<String> OWN = List.of("flow", "gateway", "kafka", "testkit");

    /** Returns the path of the source file below the root of the checkout. */
    String path() {
        return file.startsWith("verify/") ? file : module(file) + "/src/main/java/dev/spindle/" + file;
    }

    /** Returns the module of a class or file, given the name below {@code dev.spindle}. */
    static String module(String name) {
        boolean messaging = MESSAGING.stream().anyMatch(name::startsWith);
        return messaging
                ? "messaging"
                : OWN.stream().filter(name::startsWith).findFirst().orElse("core");
    }

    /**
     * The lines of a source file that a comment marks. The comment is at the end of the first line, or on a line of its
     * own before it. The comment lists invariants and promises that the lines uphold, for example
     * {@code // LaneCore-2, T6}.
     *
     * @param mark one of the names in the comment
     * @param number the index of the comment among those with this name, starting at 1
     * @param lines the number of lines
     */
    record Place(String mark, int number, int lines) {
        private static final String BEGIN = "// ";

        /** Returns the index of the first marked line, or -1 if there is no such comment. */
        int find(List<String> source) {
            int seen = 0;
            for (int i = 0; i < source.size(); i++) {
                String line = source.get(i).strip();
                int comment = line.lastIndexOf(BEGIN);
                boolean marks = comment >= 0
                        && List.of(line.substring(comment + BEGIN.length()).split(", ", -1))
                                .contains(mark);
                seen += marks ? 1 : 0;
                if (marks && seen == number) {
                    return comment == 0 ? i + 1 : i;
                }
            }
            return -1;
        }
    }

    /** Returns {@code source} with the fault. */
    String applyTo(String source) {
        List<String> lines = source.lines().toList();
        int at = place.find(lines);
        if (at < 0 || at + place.lines() > lines.size()) {
            throw new IllegalStateException("mutation " + name + ": " + file + " has no comment '// " + place.mark()
                    + "' with number " + place.number() + " and " + place.lines()
                    + " lines after it; mark the lines, or remove the mutation with the code that it was for");
        }
        List<String> mutated = new ArrayList<>(lines.subList(0, at));
        mutated.addAll(with);
        mutated.addAll(lines.subList(at + place.lines(), lines.size()));
        return String.join("\n", mutated) + "\n";
    }
}
