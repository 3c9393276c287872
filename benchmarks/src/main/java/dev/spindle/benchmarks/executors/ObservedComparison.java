// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The cells that measure what the watch, the samples and the metrics cost a task. The goals are in the goals file. */
public final class ObservedComparison {
    private static final Effort LONG = Effort.millis(1_500, 5_000, 200).atMost(60);

    private static final Map<Contender, ObservedFlood.Observer> OBSERVERS = new LinkedHashMap<>();

    static {
        OBSERVERS.put(Contender.ours("spindle-bare", "Spindle, no watch, no samples"), ObservedFlood.Observer.NONE);
        OBSERVERS.put(Contenders.SPINDLE, ObservedFlood.Observer.WATCH);
        OBSERVERS.put(
                Contender.ours("spindle-scraped", "Spindle, metrics scraped each second"),
                ObservedFlood.Observer.SCRAPE);
    }

    private ObservedComparison() {}

    public static Comparison comparison() {
        return new Comparison(
                "observed",
                ObservedComparison.class,
                "The watch, samples and metrics",
                "One thread submits; an op is a task. A spindle stays open for all passes.",
                List::of,
                List.of(
                        cell("plain", "plain tasks", ObservedFlood.Path.PLAIN),
                        cell("key", "tasks of 1,000 keys, by key", ObservedFlood.Path.KEY),
                        cell("handle", "tasks of 1,000 keys, by handle", ObservedFlood.Path.HANDLE)));
    }

    private static Cell cell(String name, String what, ObservedFlood.Path path) {
        String title = String.format(Locale.ROOT, "%,d empty %s", ObservedFlood.TASKS, what);
        return new Cell(name, title, LONG, Figure.NANOS)
                .group("observed")
                .enterAll(OBSERVERS, (observer, scale) -> new ObservedFlood(path, observer, scale));
    }
}
