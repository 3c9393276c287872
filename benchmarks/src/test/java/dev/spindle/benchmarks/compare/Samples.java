// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A comparison of things that take no time, and forks with made-up figures. */
public final class Samples {
    static final Figure TIME = Figure.less("ns", "ns/op");
    static final Figure LATEST = Figure.worst("latest_ms", "latest, ms");
    static final Figure RATE = Figure.more("rate", "ops/s");
    static final Contender LIMIT = Contender.limit("limit", "the limit");
    static final Contender OURS = Contender.ours("ours", "Spindle");
    static final Contender FAST = Contender.peer("fast", "a fast peer");
    static final Contender SLOW = Contender.peer("slow", "a slow peer");
    static final Contender FUTURE =
            Contender.peer("future", "a peer of a later age").since(1_000);
    static final Contender LOSING = Contender.peer("losing", "a peer that loses");
    static final Contender HANGING = Contender.peer("hanging", "a peer that hangs");

    private Samples() {}

    /** Returns the comparison, of which a fork runs a cell. */
    public static Comparison comparison() {
        Effort effort = Effort.millis(20, 40, 10);
        Cell plain = new Cell("plain", "a plain cell", effort, TIME, LATEST, RATE)
                .enter(LIMIT, scale -> new Fixed(1, 0))
                .enter(OURS, scale -> new Fixed(10, 0))
                .enter(FAST, scale -> new Fixed(20, 0))
                .enter(SLOW, scale -> new Fixed(80, 0))
                .enter(FUTURE, scale -> new Fixed(1, 0));
        Cell faulty = new Cell("faulty", "a cell with faults", effort, TIME)
                .enter(OURS, scale -> new Fixed(10, 0))
                .enter(LOSING, scale -> new Fixed(10, 3))
                .enter(HANGING, scale -> new Hanging());
        return new Comparison(
                "samples", Samples.class, "Samples", "An op is nothing.", List::of, List.of(plain, faulty));
    }

    /** Always finds the same. */
    private record Fixed(double time, long faults) implements Subject {
        @Override
        public void pass(Recorder recorder) {
            recorder.begin();
            recorder.value(TIME, time);
            recorder.violations(faults);
            recorder.end(100);
        }

        @Override
        public void close() {}
    }

    private static final class Hanging implements Subject {
        @Override
        public void pass(Recorder recorder) {
            throw new StalledException("it hangs");
        }

        @Override
        public void close() {
            throw new AssertionError("no thread may wait for the end of a subject that hangs");
        }
    }

    static Cell cell() {
        return comparison().cell("plain");
    }

    static ForkResult result(int round, Contender contender, Map<Figure, Double> figures) {
        Map<String, Double> values = new LinkedHashMap<>();
        values.put(Figure.PASSES.field(), 1.0);
        values.put(Figure.VIOLATIONS.field(), 0.0);
        figures.forEach((figure, value) -> values.put(figure.field(), value));
        return ForkResult.measured(new ForkResult.Fork(round, cell(), contender), values);
    }

    static ForkResult time(int round, Contender contender, double nanos) {
        return result(round, contender, Map.of(TIME, nanos));
    }

    static ForkResult failed(int round, Contender contender) {
        return ForkResult.failed(new ForkResult.Fork(round, cell(), contender), "stalled: it hangs");
    }
}
