// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The failure of a {@link ScatterGather} that got fewer values than its policy needs. */
public final class UnmetException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The maximum number of kinds of outcomes in the message, before "other". */
    private static final int MOST_KINDS = 8;

    private final transient Gathered gathered;

    UnmetException(int needed, Gathered gathered) {
        super(
                "needed " + needed + " values, got " + values(gathered.outcomes()) + ": " + counts(gathered.outcomes()),
                null,
                false,
                false);
        this.gathered = gathered;
    }

    /** Returns the outcomes of the services; null after serialization. */
    public Gathered gathered() {
        return gathered;
    }

    private static long values(List<Outcome<?>> outcomes) {
        return outcomes.stream().filter(Outcome.Value.class::isInstance).count();
    }

    /** Returns the number of outcomes of each kind, with class names only, since a message may run user code. */
    private static String counts(List<Outcome<?>> outcomes) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (Outcome<?> outcome : outcomes) {
            String kind = kind(outcome);
            counts.merge(counts.size() < MOST_KINDS || counts.containsKey(kind) ? kind : "other", 1, Integer::sum);
        }
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private static String kind(Outcome<?> outcome) {
        String name = outcome.getClass().getSimpleName();
        return outcome instanceof Outcome.Failed<?> failed
                ? name + " (" + failed.cause().getClass().getName() + ")"
                : name;
    }
}
