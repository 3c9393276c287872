// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.AtomicHistogram;

/** Collects the measurements of one contender in a fork. This class is not thread-safe. */
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

    /** Creates a recorder; all threads that start later are counted as the contender's. */
    public Recorder() {
        this(ThreadCosts.before(), OwnProcess.restartPeak());
    }

    private Recorder(ThreadCosts origin, int threadsBefore) {
        this.origin = origin;
        this.threadsBefore = threadsBefore;
        before = origin;
    }

    Recorder another() {
        return new Recorder(origin, threadsBefore);
    }

    public void begin() {
        before = ThreadCosts.before();
        startedAt = System.nanoTime();
    }

    /**
     * Stops the clocks of a pass. Threads of the contender that have ended before this call are not counted.
     *
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

    /** Stops the clocks of a pass, and records the pass's nanoseconds per operation as a value of the figure. */
    public long end(long ran, Figure nanosPerOperation) {
        long nanos = end(ran);
        value(nanosPerOperation, (double) nanos / ran);
        return nanos;
    }

    /** Records the operations and the nanoseconds of a pass, for a subject that does not call {@link #begin}. */
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

    /** Adds a number of operations that were lost, duplicated or out of order. */
    public void violations(long count) {
        violations += count;
    }

    /** Returns the histogram of a figure, to which any thread may add. */
    public LatencyHistogram latency(Figure.Times figure) {
        return times.computeIfAbsent(figure, none -> new LatencyHistogram());
    }

    /** Returns the costs of the contender's live threads since an earlier reading. */
    public ThreadCosts.Cost contenderSince(ThreadCosts earlier) {
        return ThreadCosts.after().ofThreadsAfter(origin, earlier);
    }

    /** Returns the costs of the contender's threads and the calling thread in all passes so far. */
    public ThreadCosts.Cost costs() {
        return costs;
    }

    public double cpuNanos() {
        return cpuNanos;
    }

    public double wallNanos() {
        return wallNanos;
    }

    public long ops() {
        return ops;
    }

    /** Adds the processor time of processes that the subject started, in nanoseconds. */
    public void hired(long nanos) {
        hiredNanos += nanos;
    }

    /** Returns the mean nanoseconds per operation of the first 0.1 s of passes, or NaN if there was no pass. */
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

    /** A histogram of times with two significant digits. This class is thread-safe. */
    public static final class LatencyHistogram {
        private static final long MOST = 3_600_000_000_000L;

        private final AtomicHistogram counts = new AtomicHistogram(MOST, 2);

        /** Records a time in nanoseconds; a time below 0 is recorded as 0, and a time above an hour as an hour. */
        public void record(long nanos) {
            counts.recordValue(Math.min(MOST, Math.max(0, nanos)));
        }

        public long count() {
            return counts.getTotalCount();
        }

        /**
         * Returns the time in nanoseconds that the given fraction of the times does not exceed, or NaN if no time was
         * recorded.
         */
        public double percentile(double share) {
            return count() == 0 ? Double.NaN : counts.getValueAtPercentile(100 * share);
        }
    }
}
