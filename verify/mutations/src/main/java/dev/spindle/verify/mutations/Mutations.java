// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.mutations;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts each fault of the list into a copy of the core, runs the test that must find it, and reports those that no test
 * found. Arguments: parts of names, to take only those mutations. Exits with 1 if one survived.
 */
final class Mutations {
    private final Laboratory laboratory;
    private final PrintStream out;
    private final Map<Catcher, Verdict> controls = new HashMap<>();

    private Mutations(Laboratory laboratory, PrintStream out) {
        this.laboratory = laboratory;
        this.out = out;
    }

    /** Runs from the root of the checkout. */
    public static void main(String[] arguments) throws Exception {
        Path root = Path.of("").toAbsolutePath();
        Path home = root.resolve("verify/mutations");
        List<Mutation> chosen = choose(MutationList.read(home.resolve("mutations.txt")), List.of(arguments));
        Laboratory laboratory = new Laboratory(root, home.resolve("target/mutants"));
        List<String> bad = new Mutations(laboratory, System.out).run(chosen);
        System.exit(bad.isEmpty() ? 0 : 1);
    }

    private static List<Mutation> choose(List<Mutation> all, List<String> parts) {
        List<Mutation> chosen = all.stream()
                .filter(m -> parts.isEmpty() || parts.stream().anyMatch(m.name()::contains))
                .toList();
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException("no mutation has any of " + parts + " in its name");
        }
        return chosen;
    }

    private List<String> run(List<Mutation> mutations) throws Exception {
        List<String> bad = new ArrayList<>();
        int number = 0;
        for (Mutation mutation : mutations) {
            number++;
            out.printf("[%d/%d] %s: ", number, mutations.size(), mutation.name());
            out.flush();
            long begin = System.nanoTime();
            Catcher catcher = mutation.catcher();
            Verdict verdict = laboratory.run(mutation);
            String said = switch (verdict) {
                case KILLED -> "killed by " + catcher;
                case SURVIVED -> "SURVIVED " + catcher + ": " + mutation.why();
                case NOTHING_RAN -> "NOTHING RAN: there is no " + catcher + ", or it broke off; see its log";
            };
            if (verdict == Verdict.KILLED && control(catcher) != Verdict.SURVIVED) {
                said = "NOT PROVED: " + catcher + " fails without the fault too";
            }
            out.printf("%s, %.0f s%n", said, (System.nanoTime() - begin) / 1e9);
            if (!said.startsWith("killed")) {
                bad.add(mutation.name());
            }
        }
        out.printf(
                "%d of %d mutations were killed%s%n",
                mutations.size() - bad.size(),
                mutations.size(),
                bad.isEmpty() ? "" : "; not: " + String.join(", ", bad));
        return bad;
    }

    private Verdict control(Catcher catcher) throws Exception {
        Verdict known = controls.get(catcher);
        if (known == null) {
            known = laboratory.control(catcher);
            controls.put(catcher, known);
        }
        return known;
    }
}
