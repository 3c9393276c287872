// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The graph of the stages of a pipeline, checked and in topological order. */
final class StageGraph {
    private final Map<String, Set<String>> before;
    private final List<String> order = new ArrayList<>();

    /**
     * Creates and checks a graph.
     *
     * @param before the names of the stages that each stage follows
     * @throws IllegalArgumentException if a stage is unknown, or follows itself, directly or indirectly
     */
    StageGraph(String pipeline, Map<String, Set<String>> before) {
        this.before = before;
        before.forEach((stage, others) -> others.forEach(other -> {
            if (!before.containsKey(other)) {
                throw new IllegalArgumentException("stage " + stage + " of pipeline " + pipeline
                        + " is after a stage that does not exist, " + other + "; name one of " + before.keySet());
            }
        }));
        Set<String> placed = new LinkedHashSet<>();
        while (placed.size() < before.size()) {
            int had = placed.size();
            before.forEach((stage, others) -> {
                if (placed.containsAll(others)) {
                    placed.add(stage);
                }
            });
            if (placed.size() == had) {
                throw new IllegalArgumentException("the stages of pipeline " + pipeline + " wait for each other: "
                        + String.join(" -> ", cycle(placed))
                        + "; each arrow says after, and a stage without after comes"
                        + " after the one declared before it, unless it has afterPublish()");
            }
        }
        order.addAll(placed);
    }

    /** Returns a cycle among the stages that are not in {@code placed}. */
    private List<String> cycle(Set<String> placed) {
        Map<String, Integer> seen = new LinkedHashMap<>();
        List<String> path = new ArrayList<>();
        String at = before.keySet().stream()
                .filter(stage -> !placed.contains(stage))
                .findFirst()
                .orElseThrow();
        while (seen.putIfAbsent(at, path.size()) == null) {
            path.add(at);
            at = stagesBefore(at).stream()
                    .filter(stage -> !placed.contains(stage))
                    .findFirst()
                    .orElseThrow();
        }
        path.add(at);
        return path.subList(Objects.requireNonNull(seen.get(at)), path.size());
    }

    /** Returns the stages in topological order. */
    List<String> inOrder() {
        return List.copyOf(order);
    }

    /** Returns the stages that {@code stage} follows directly. */
    Set<String> stagesBefore(String stage) {
        return Objects.requireNonNull(before.get(stage));
    }

    /** Returns all stages that {@code stage} follows, directly or indirectly. */
    Set<String> ancestors(String stage) {
        Set<String> all = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>(stagesBefore(stage));
        while (!open.isEmpty()) {
            String next = open.remove();
            if (all.add(next)) {
                open.addAll(stagesBefore(next));
            }
        }
        return all;
    }

    /** Returns the stages that follow {@code stage} directly. */
    List<String> stagesAfter(String stage) {
        return order.stream()
                .filter(other -> stagesBefore(other).contains(stage))
                .toList();
    }
}
