// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.forks.StalledException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A comparison of things that take no time, and forks with made-up figures. */
final class Samples {
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

    static final Comparison COMPARISON = comparison();

    private Samples() {}

    public static void main(String[] arguments) {
        CompareFork.run(comparison(), arguments);
    }

    private static Comparison comparison() {
        Map<Contender, Subject.Setup> everybody = new LinkedHashMap<>();
        everybody.put(LIMIT, scale -> new Fixed(1, 0));
        everybody.put(OURS, scale -> new Fixed(10, 0));
        everybody.put(FAST, scale -> new Fixed(20, 0));
        everybody.put(SLOW, scale -> new Fixed(80, 0));
        everybody.put(FUTURE, scale -> new Fixed(1, 0));
        Map<Contender, Subject.Setup> faulty = new LinkedHashMap<>();
        faulty.put(OURS, scale -> new Fixed(10, 0));
        faulty.put(LOSING, scale -> new Fixed(10, 3));
        faulty.put(HANGING, scale -> new Hanging());
        Effort effort = Effort.millis(20, 40, 10);
        return new Comparison(
                "samples",
                Samples.class,
                "Samples",
                "An op is nothing.",
                List::of,
                List.of(
                        new Cell("plain", "a plain cell", List.of(TIME, LATEST, RATE), effort, everybody),
                        new Cell("faulty", "a cell with faults", List.of(TIME), effort, faulty)),
                judge -> {
                    judge.atLeast("G1", "plain", OURS, SLOW, TIME, 4);
                    judge.atLeastBest("G2", "plain", OURS, List.of(FAST, SLOW), "the best peer", TIME, 3);
                    judge.atMostOf("G3", "plain", OURS, FAST, TIME, 1);
                    judge.atMost("G4", "plain", OURS, TIME, 15);
                    judge.never("G5", "plain", OURS, LATEST, 50);
                    judge.atLeast("G6", "plain", OURS, FAST, RATE, 1);
                    judge.onlyCalm().atMostOf("G8", "plain", OURS, FAST, TIME, 1);
                    judge.onlyCalm().atLeast("G9", "plain", OURS, FAST, RATE, 1);
                    judge.neverOfOurs("G7", List.of("faulty"), Figure.THREADS, 4);
                });
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
            throw new AssertionError("nobody may wait for the end of what hangs");
        }
    }

    static Cell cell() {
        return COMPARISON.cell("plain");
    }

    static ForkResult result(int round, Contender contender, Map<Figure, Double> figures) {
        Map<String, Double> values = new LinkedHashMap<>();
        values.put(Figure.PASSES.field(), 1.0);
        values.put(Figure.VIOLATIONS.field(), 0.0);
        figures.forEach((figure, value) -> values.put(figure.field(), value));
        return ForkResult.measured(new ForkResult.Fork(round, cell(), contender), new Measurement(values));
    }

    static ForkResult time(int round, Contender contender, double nanos) {
        return result(round, contender, Map.of(TIME, nanos));
    }
}
