// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.mutations;

import java.util.ArrayList;
import java.util.List;

/**
 * A fault that is planted in a source file of core, messaging, flow or gateway, and the test that must find it.
 *
 * @param name the fault in words, joined by hyphens
 * @param why the harm that the fault does
 * @param file the source file, below the package {@code dev.spindle}, or from the root if below {@code verify}
 * @param find the lines of the file to replace, without their indents, which occur once
 * @param with the lines that replace them
 * @param catcher the test
 */
record Mutation(String name, String why, String file, List<String> find, List<String> with, Catcher catcher) {
    private static final List<String> MESSAGING = List.of("actor", "channel", "messaging", "pipeline");
    /** Modules with the name of their package. */
    private static final List<String> OWN = List.of("flow", "gateway");

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

    /** Returns {@code source} with the fault in it. */
    String applyTo(String source) {
        List<String> lines = source.lines().toList();
        int at = -1;
        for (int i = 0; i + find.size() <= lines.size(); i++) {
            if (standsAt(lines, i)) {
                if (at >= 0) {
                    throw new IllegalStateException("mutation " + name + ": its lines occur in " + file + " at lines "
                            + (at + 1) + " and " + (i + 1) + "; add a line to find");
                }
                at = i;
            }
        }
        if (at < 0) {
            throw new IllegalStateException("mutation " + name + ": its lines do not occur in " + file
                    + " any more; update it, or remove it with the code that it was for: " + find);
        }
        List<String> mutated = new ArrayList<>(lines.subList(0, at));
        mutated.addAll(with);
        mutated.addAll(lines.subList(at + find.size(), lines.size()));
        return String.join("\n", mutated) + "\n";
    }

    private boolean standsAt(List<String> lines, int at) {
        for (int i = 0; i < find.size(); i++) {
            if (!lines.get(at + i).strip().equals(find.get(i))) {
                return false;
            }
        }
        return true;
    }
}
