// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.mutations;

import java.util.ArrayList;
import java.util.List;

/**
 * A fault that is put into a source file of the core, of messaging, of flow or of gateway, and the test that must find
 * it.
 *
 * @param name what the fault is, in words joined by hyphens
 * @param why what goes wrong with it
 * @param file the source file, below the package {@code dev.spindle}, or from the root if below {@code verify}
 * @param find lines of the file, without their indents, that stand there once
 * @param with the lines that take their place
 * @param catcher the test
 */
record Mutation(String name, String why, String file, List<String> find, List<String> with, Catcher catcher) {
    private static final List<String> MESSAGING = List.of("actor", "channel", "messaging", "pipeline");
    /** Modules that are called as their package is. */
    private static final List<String> OWN = List.of("flow", "gateway");

    /** Returns where the source file is, below the root. */
    String path() {
        return file.startsWith("verify/") ? file : module(file) + "/src/main/java/dev/spindle/" + file;
    }

    /** Returns the module that has what is called {@code name} below the package {@code dev.spindle}. */
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
                    throw new IllegalStateException("mutation " + name + ": what it looks for stands in " + file
                            + " at lines " + (at + 1) + " and " + (i + 1) + "; add a line to find");
                }
                at = i;
            }
        }
        if (at < 0) {
            throw new IllegalStateException("mutation " + name + ": what it looks for does not stand in " + file
                    + " any more; bring it up to date, or remove it with what it stood for: " + find);
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
