// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.mutations;

import java.util.ArrayList;
import java.util.List;

/**
 * A fault planted in a source file of core, messaging, flow, gateway or testkit, and the test that must find it.
 *
 * @param name the fault in words, joined by hyphens
 * @param why the harm that the fault does
 * @param file the source file, below the package {@code dev.spindle}, or from the root if below {@code verify}
 * @param place the lines of the file to replace
 * @param with the lines that replace them
 * @param catcher the test
 */
record Mutation(String name, String why, String file, Place place, List<String> with, Catcher catcher) {
    private static final List<String> MESSAGING = List.of("actor", "channel", "messaging", "pipeline");
    /** Modules with the name of their package. */
    private static final List<String> OWN = List.of("flow", "gateway", "testkit");

    /** Returns the path of the source file below the root. */
    String path() {
        return file.startsWith("verify/") ? file : module(file) + "/src/main/java/dev/spindle/" + file;
    }

    /** Returns the module of a class or file with this name below the package {@code dev.spindle}. */
    static String module(String name) {
        boolean messaging = MESSAGING.stream().anyMatch(name::startsWith);
        return messaging
                ? "messaging"
                : OWN.stream().filter(name::startsWith).findFirst().orElse("core");
    }

    /**
     * The lines of a source that a comment marks, at the end of the first of them or in a line of its own before it.
     * The comment consists of the names of invariants and promises that the lines uphold, such as
     * {@code // LaneCore-2, T6}.
     *
     * @param mark one of the names
     * @param number the number of the comment among those with this name, from 1
     * @param lines the number of lines
     */
    record Place(String mark, int number, int lines) {
        private static final String BEGIN = "// ";

        /** Returns the index of the first line, or -1 if there is no such comment. */
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

    /** Returns {@code source} with the fault in it. */
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
