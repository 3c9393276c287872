// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.measure.LatencyHistogram;
import dev.spindle.benchmarks.measure.OwnProcess;
import dev.spindle.benchmarks.measure.ThreadCosts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the measurements of the passes of a fork. One thread uses it. */
public final class Recorder {
    private static final double COLD_NANOS = 1e8;

    private final ThreadCosts origin;
    private final int threadsBefore;
    private final Map<Figure, List<Double>> values = new LinkedHashMap<>();
    private final Map<Figure.Times, LatencyHistogram> times = new LinkedHashMap<>();
    private ThreadCosts before;
    private ThreadCosts.Cost costs = new ThreadCosts.Cost(0, 0, 0);
    private long startedAt;
    private double cpuNanos;
    private double wallNanos;
    private double coldNanos;
    private double coldOps;
    private long hiredNanos;
    private long violations;
    private long ops;
    private int passes;

    /** A reading from before the contender; threads that start later belong to the contender. */
    public Recorder() {
        this(ThreadCosts.before(), OwnProcess.restartPeak());
    }

    private Recorder(ThreadCosts origin, int threadsBefore) {
        this.origin = origin;
        this.threadsBefore = threadsBefore;
        before = origin;
    }

    /** Returns an empty recorder for the same contender. */
    Recorder another() {
        return new Recorder(origin, threadsBefore);
    }

    /** Starts the clocks of a pass. */
    public void begin() {
        before = ThreadCosts.before();
        startedAt = System.nanoTime();
    }

    /**
     * Stops the clocks of a pass, while the contender's threads are alive.
     *
     * @param ran the number of operations of the pass
     * @return the nanoseconds since {@link #begin}
     */
    public long end(long ran) {
        long nanos = System.nanoTime() - startedAt;
        ThreadCosts after = ThreadCosts.after();
        wallNanos += nanos;
        cpuNanos += after.cpuNanosSince(before);
        ThreadCosts.Cost cost = after.sinceOf(before, origin);
        costs = costs.plus(cost, 1);
        ops += ran;
        ran((double) ran, (double) nanos);
        return nanos;
    }

    /** Stops the clocks of a pass, and adds the time of an operation. */
    public long end(long ran, Figure nanosPerOperation) {
        long nanos = end(ran);
        value(nanosPerOperation, (double) nanos / ran);
        return nanos;
    }

    /** Adds the operations of a pass and its time. */
    public void ran(double operations, double nanos) {
        value(Figure.NANOS, nanos / operations);
        if (coldNanos < COLD_NANOS) {
            coldNanos += nanos;
            coldOps += operations;
        }
    }

    public void value(Figure figure, double value) {
        values.computeIfAbsent(figure, none -> new ArrayList<>()).add(value);
    }

    /** Adds operations that were lost, doubled or out of order. */
    public void violations(long count) {
        violations += count;
    }

    /** Returns a histogram to which any thread may add. */
    public LatencyHistogram latency(Figure.Times figure) {
        return times.computeIfAbsent(figure, none -> new LatencyHistogram());
    }

    /** Returns the costs, since an earlier reading, of those threads of the contender that have not ended. */
    public ThreadCosts.Cost contenderSince(ThreadCosts earlier) {
        return ThreadCosts.after().ofThreadsAfter(origin, earlier);
    }

    /** Returns the costs, between all begins and ends, of the contender's threads and the calling thread. */
    public ThreadCosts.Cost costs() {
        return costs;
    }

    /** Returns the processor time of all passes so far, in nanoseconds. */
    public double cpuNanos() {
        return cpuNanos;
    }

    /** Returns the time of all passes so far, in nanoseconds. */
    public double wallNanos() {
        return wallNanos;
    }

    /** Returns the operations of all passes so far. */
    public long ops() {
        return ops;
    }

    /** Adds processor time of processes that the subject started. */
    public void hired(long nanos) {
        hiredNanos += nanos;
    }

    /**
     * Returns the nanoseconds per operation of the passes that began in the first tenth of a second; NaN if there are
     * none.
     */
    double coldNanosPerOp() {
        return coldNanos / coldOps;
    }

    long hiredNanos() {
        return hiredNanos;
    }

    long violations() {
        return violations;
    }

    void passed() {
        passes++;
    }

    /**
     * Returns the values by the figures' fields. Costs that a subject added replace those measured here, since its
     * contender is another process.
     */
    public Map<String, Double> values() {
        Map<String, Double> found = new LinkedHashMap<>();
        values.forEach((figure, all) -> found.put(figure.field(), summary(figure, all)));
        times.forEach((figure, histogram) -> {
            if (histogram.count() > 0) {
                found.put(figure.median().field(), histogram.percentile(0.5) / figure.nanosPerUnit());
                found.put(figure.tail().field(), histogram.percentile(0.99) / figure.nanosPerUnit());
            }
        });
        if (ops > 0) {
            found.put(Figure.CPU.field(), cpuNanos / ops);
            found.put(Figure.VOLUNTARY.field(), costs.voluntary() / ops);
            found.put(Figure.INVOLUNTARY.field(), costs.involuntary() / ops);
        }
        found.putIfAbsent(Figure.THREADS.field(), (double) (OwnProcess.peakThreads() - threadsBefore));
        found.put(Figure.VIOLATIONS.field(), (double) violations);
        found.put(Figure.PASSES.field(), (double) passes);
        found.putIfAbsent(Figure.OPS.field(), (double) ops);
        return found;
    }

    private static double summary(Figure figure, List<Double> values) {
        return switch (figure.summary()) {
            case MEDIAN -> Spread.of(values).median();
            case LARGEST -> Spread.of(values).max();
            case SUM -> values.stream().mapToDouble(Double::doubleValue).sum();
        };
    }
}
