// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.mutations;

import static java.util.Objects.requireNonNull;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Plants each fault in a copy of its source file and runs the test that must detect it. Reports the faults that were
 * not detected. The arguments select mutations by a part of their name or by the kind of their {@link Catcher}. The
 * exit status is 1 if a fault was not detected.
 */
final class Mutations {
    private static final double WITH_CONTROLS = 1.3;

    private final Laboratory laboratory;
    private final PrintStream out;

    private Mutations(Laboratory laboratory, PrintStream out) {
        this.laboratory = laboratory;
        this.out = out;
    }

    /** The working directory must be the root of the checkout. */
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
                .filter(m -> parts.isEmpty() || parts.stream().anyMatch(part -> fits(m, part)))
                .toList();
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException("no mutation has any of " + parts + " in its name");
        }
        return chosen;
    }

    private static boolean fits(Mutation mutation, String part) {
        return mutation.name().contains(part)
                || mutation.catcher().kind().name().equalsIgnoreCase(part);
    }

    private List<String> run(List<Mutation> chosen) throws Exception {
        List<Mutation> mutations = new ArrayList<>(chosen);
        mutations.sort(Comparator.comparing(mutation -> mutation.catcher().kind()));
        int seconds =
                mutations.stream().mapToInt(m -> m.catcher().kind().seconds()).sum();
        out.printf("%d mutations, about %d minutes%n", mutations.size(), Math.round(seconds * WITH_CONTROLS / 60));
        Map<Catcher, String> killers = new LinkedHashMap<>();
        List<String> bad = new ArrayList<>();
        for (int i = 0; i < mutations.size(); i++) {
            Mutation mutation = mutations.get(i);
            Catcher catcher = mutation.catcher();
            out.printf("[%d/%d] %s: ", i + 1, mutations.size(), mutation.name());
            out.flush();
            long begin = System.nanoTime();
            Verdict verdict = laboratory.run(mutation);
            out.printf("%s, %s%n", said(verdict, mutation), since(begin));
            if (verdict == Verdict.KILLED) {
                killers.merge(catcher, mutation.name(), (some, one) -> some + ", " + one);
            } else {
                bad.add(mutation.name());
            }
        }
        for (Catcher catcher : failingWithoutFault(killers.keySet())) {
            out.printf("NOT PROVED: %s fails without the fault too%n", catcher);
            bad.add(requireNonNull(killers.get(catcher)));
        }
        out.printf(
                "%d of %d mutations were killed%s%n",
                mutations.size() - bad.size(),
                mutations.size(),
                bad.isEmpty() ? "" : "; not: " + String.join(", ", bad));
        return bad;
    }

    private static String said(Verdict verdict, Mutation mutation) {
        return switch (verdict) {
            case KILLED -> "killed by " + mutation.catcher();
            case SURVIVED -> "SURVIVED " + mutation.catcher() + ": " + mutation.why();
            case NOTHING_RAN -> "NOTHING RAN: there is no " + mutation.catcher() + ", or it broke off; see its log";
        };
    }

    private static String since(long begin) {
        return String.format(Locale.ROOT, "%.0f s", (System.nanoTime() - begin) / 1e9);
    }

    /** Runs the tests without a fault, all tests of a kind in one process, and returns those that fail. */
    private List<Catcher> failingWithoutFault(Collection<Catcher> catchers) throws Exception {
        List<Catcher> failing = new ArrayList<>();
        for (Catcher.Kind kind : Catcher.Kind.values()) {
            List<Catcher> some = catchers.stream().filter(c -> c.kind() == kind).toList();
            if (some.isEmpty()) {
                continue;
            }
            out.printf(
                    "[control] %d of kind %s without a fault: ",
                    some.size(), kind.name().toLowerCase(Locale.ROOT));
            out.flush();
            long begin = System.nanoTime();
            boolean pass = laboratory.control(kind, some) == Verdict.SURVIVED;
            String said = pass ? "all pass" : "not all pass, see " + laboratory.controlFolder(kind, some);
            out.printf("%s, %s%n", said, since(begin));
            for (Catcher catcher : pass ? List.<Catcher>of() : some) {
                if (laboratory.control(kind, List.of(catcher)) != Verdict.SURVIVED) {
                    failing.add(catcher);
                }
            }
        }
        return failing;
    }
}
