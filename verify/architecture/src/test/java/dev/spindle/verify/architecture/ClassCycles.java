// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The cycles of classes: sets of classes that all use each other, directly or not. A nested class counts as its
 * outermost class.
 */
final class ClassCycles {
    private ClassCycles() {}

    /**
     * Returns the rule that no cycle has more than {@code most} classes.
     *
     * @param others the limits of cycles that lie in one package, by the package
     */
    static ArchRule none(int most, Map<String, Integer> others) {
        return ArchRuleDefinition.classes().should(new ArchCondition<>("be in no large cycle") {
            private Map<String, Set<String>> uses = Map.of();

            @Override
            public void init(Collection<JavaClass> all) {
                uses = uses(all);
            }

            @Override
            public void check(JavaClass type, ConditionEvents events) {}

            @Override
            public void finish(ConditionEvents events) {
                for (Set<String> cycle : cycles(uses)) {
                    int limit = limit(cycle, most, others);
                    String found = "a cycle of " + cycle.size() + " classes, at most " + limit + ": " + cycle;
                    events.add(new SimpleConditionEvent(cycle, cycle.size() <= limit, found));
                }
            }
        });
    }

    private static int limit(Set<String> cycle, int most, Map<String, Integer> others) {
        List<String> packages = cycle.stream()
                .map(name -> name.substring(0, name.lastIndexOf('.')))
                .distinct()
                .toList();
        return packages.size() > 1 ? most : others.getOrDefault(packages.get(0), most);
    }

    /** Returns the name of the outermost class around {@code type}. */
    static String outermost(JavaClass type) {
        String name = type.getBaseComponentType().getName();
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private static Map<String, Set<String>> uses(Collection<JavaClass> all) {
        Set<String> own = all.stream().map(ClassCycles::outermost).collect(Collectors.toSet());
        Map<String, Set<String>> uses = new TreeMap<>();
        for (JavaClass type : all) {
            Set<String> used = uses.computeIfAbsent(outermost(type), name -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> outermost(dependency.getTargetClass()))
                    .filter(own::contains)
                    .forEach(used::add);
        }
        return uses;
    }

    /** Returns the cycles of two classes and more. */
    private static Set<Set<String>> cycles(Map<String, Set<String>> uses) {
        Map<String, Set<String>> reached = new HashMap<>();
        uses.keySet().forEach(name -> reached.put(name, reachable(name, uses)));
        Set<Set<String>> cycles = new HashSet<>();
        reached.forEach((name, others) -> {
            Set<String> cycle = others.stream()
                    .filter(other -> reached.getOrDefault(other, Set.of()).contains(name))
                    .collect(Collectors.toCollection(TreeSet::new));
            if (cycle.size() > 1) {
                cycles.add(cycle);
            }
        });
        return cycles;
    }

    private static Set<String> reachable(String start, Map<String, Set<String>> uses) {
        Set<String> found = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(start));
        for (String name = open.poll(); name != null; name = open.poll()) {
            for (String used : uses.getOrDefault(name, Set.of())) {
                if (found.add(used)) {
                    open.add(used);
                }
            }
        }
        return found;
    }
}
