// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe;

import dev.spindle.SpindleStats;
import dev.spindle.Stats;
import dev.spindle.internal.Pool;
import dev.spindle.internal.SpindlePart.FigureList;
import dev.spindle.internal.SpindlePart.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The figures of a spindle and of its parts, read in one pass. Immutable after the pass. */
final class Snapshot implements FigureList {
    /**
     * The maximum number of parts that are shown one by one, so that a program that makes an executor for each request
     * does not make a time series for each. Not measured.
     */
    static final int MOST_PARTS = 500;

    private final Map<Part, List<Stats>> parts = new LinkedHashMap<>();
    private final Pool.Times times;
    private @Nullable SpindleStats spindle;

    private Snapshot(Pool pool) {
        times = pool.times();
        pool.listFigures(this);
    }

    /** Reads the figures of {@code pool}, in time proportional to the numbers of lanes, pending tasks and parts. */
    static Snapshot of(Pool pool) {
        return new Snapshot(pool);
    }

    @Override
    public void add(Kind kind, @Nullable String owner, Stats figures) {
        if (figures instanceof SpindleStats whole) {
            spindle = whole;
        }
        Part own = new Part(kind, Part.hasOwner(kind) ? owner : null, figures.name());
        Part part = parts.containsKey(own) || parts.size() < MOST_PARTS ? own : Part.others(kind);
        parts.computeIfAbsent(part, key -> new ArrayList<>(1)).add(figures);
    }

    /** Returns the parts, the spindle first. */
    Set<Part> parts() {
        return parts.keySet();
    }

    /** Returns the counts of the spindle. */
    SpindleStats spindle() {
        if (spindle == null) {
            throw new IllegalStateException("the spindle has not listed its figures");
        }
        return spindle;
    }

    /** Returns the measured times. */
    Pool.Times times() {
        return times;
    }

    /** Returns the sum of a count over the parts of that identity; NaN if there is none. */
    double sum(Part part, ToDoubleFunction<Stats> count) {
        List<Stats> all = parts.get(part);
        if (all == null) {
            return Double.NaN;
        }
        double sum = 0;
        for (Stats one : all) {
            sum += count.applyAsDouble(one);
        }
        return sum;
    }
}
