// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.forks.LatencyHistogram;
import dev.spindle.benchmarks.forks.OwnProcess;
import dev.spindle.benchmarks.forks.Spread;
import dev.spindle.benchmarks.forks.ThreadCpu;
import dev.spindle.benchmarks.forks.ThreadSwitches;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects what the passes of a fork find. One thread uses it. */
public final class Recorder {
    private static final double COLD_NANOS = 1e8;

    private final ThreadSwitches origin;
    private final int threadsBefore;
    private final Map<Figure, List<Double>> values = new LinkedHashMap<>();
    private final Map<Latency, LatencyHistogram> latencies = new LinkedHashMap<>();
    private ThreadSwitches switchesBefore;
    private ThreadSwitches.Count switches = ThreadSwitches.Count.NONE;
    private ThreadSwitches.Count switchesOfPass = ThreadSwitches.Count.NONE;
    private ThreadCpu cpuBefore = ThreadCpu.now();
    private long startedAt;
    private double cpuNanos;
    private double wallNanos;
    private double coldNanos;
    private double coldOps;
    private long hiredNanos;
    private long violations;
    private long ops;
    private int passes;

    /** To be made before the contender is: threads that come later are its own. */
    public Recorder() {
        this(ThreadSwitches.now(), OwnProcess.restartPeak());
    }

    private Recorder(ThreadSwitches origin, int threadsBefore) {
        this.origin = origin;
        this.threadsBefore = threadsBefore;
        switchesBefore = origin;
    }

    /** An empty one, for the same contender. */
    Recorder another() {
        return new Recorder(origin, threadsBefore);
    }

    /** Starts the clocks of what a pass costs. */
    public void begin() {
        switchesBefore = ThreadSwitches.now();
        cpuBefore = ThreadCpu.now();
        startedAt = System.nanoTime();
    }

    /** Stops them, while the contender's threads still live; returns the nanoseconds between. */
    public long end(long ran) {
        long nanos = System.nanoTime() - startedAt;
        wallNanos += nanos;
        cpuNanos += cpuBefore.nanosSince();
        switchesOfPass = ThreadSwitches.now().since(switchesBefore, origin);
        switches = switches.plus(switchesOfPass, 1);
        ops += ran;
        ran((double) ran, (double) nanos);
        return nanos;
    }

    /** Adds what a pass ran, and how long it took. */
    public void ran(double operations, double nanos) {
        value(Figure.NANOS, nanos / operations);
        if (coldNanos < COLD_NANOS) {
            coldNanos += nanos;
            coldOps += operations;
        }
    }

    /** Voluntary context switches between the last begin and end; NaN where not known. */
    public double voluntaryOfPass() {
        return switchesOfPass.voluntary();
    }

    /** Adds a value. */
    public void value(Figure figure, double value) {
        values.computeIfAbsent(figure, none -> new ArrayList<>()).add(value);
    }

    /** Adds what was lost, doubled or out of order. */
    public void violations(long count) {
        violations += count;
    }

    /** Processor time so far of the contender's threads, without the JVM's and the calling one, in nanoseconds. */
    public long contenderCpuNanos() {
        return ThreadCpu.others(origin.threads());
    }

    /** Voluntary switches so far of those threads. */
    public double contenderSwitches() {
        return ThreadSwitches.now().ofThreadsAfter(origin).voluntary();
    }

    /** Times that any thread may record. */
    public LatencyHistogram latency(Latency latency) {
        return latencies.computeIfAbsent(latency, none -> new LatencyHistogram());
    }

    /** Processor time of all passes so far, in nanoseconds. */
    public double cpuNanos() {
        return cpuNanos;
    }

    /** Time of all passes so far, in nanoseconds. */
    public double wallNanos() {
        return wallNanos;
    }

    /** Operations so far. */
    public long ops() {
        return ops;
    }

    /** Adds processor time of other processes that the subject itself started. */
    public void hired(long nanos) {
        hiredNanos += nanos;
    }

    /** Nanoseconds per operation of the passes that began in the first tenth of a second of passes; NaN before any. */
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
     * Everything that was found, by the figures' fields. Of the figures that every cell has, those count that a subject
     * gave itself, since the contender is in another process.
     */
    public Map<String, Double> values() {
        Map<String, Double> found = new LinkedHashMap<>();
        values.forEach((figure, all) -> found.put(figure.field(), summary(figure, all)));
        latencies.forEach((latency, histogram) -> {
            found.put(latency.median().field(), histogram.percentile(0.5) / latency.nanosPerUnit());
            found.put(latency.tail().field(), histogram.percentile(0.99) / latency.nanosPerUnit());
        });
        if (ops > 0) {
            found.put(Figure.CPU.field(), cpuNanos / ops);
            found.put(Figure.VOLUNTARY.field(), switches.voluntary() / ops);
            found.put(Figure.INVOLUNTARY.field(), switches.involuntary() / ops);
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
