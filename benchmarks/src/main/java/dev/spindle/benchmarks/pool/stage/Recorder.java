// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.stage;

import dev.spindle.benchmarks.forks.OwnProcess;
import dev.spindle.benchmarks.forks.Spread;
import dev.spindle.benchmarks.forks.ThreadCpu;
import dev.spindle.benchmarks.forks.ThreadSwitches;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Collects what the passes of a fork find. One thread begins and ends; any may record latencies. */
public final class Recorder {
    /** Times of which both the median and the 99th percentile are wanted. */
    public enum Latency {
        SUBMIT(Figure.SUBMIT_P50, Figure.SUBMIT_P99, 1),
        ROUND_TRIP(Figure.ROUND_TRIP_P50, Figure.ROUND_TRIP_P99, 1_000),
        DELAY(Figure.DELAY_P50, Figure.DELAY_P99, 1_000),
        MAKESPAN(Figure.MAKESPAN_P50, Figure.MAKESPAN_P99, 1_000);

        private final Figure median;
        private final Figure tail;
        private final double nanosPerUnit;

        Latency(Figure median, Figure tail, double nanosPerUnit) {
            this.median = median;
            this.tail = tail;
            this.nanosPerUnit = nanosPerUnit;
        }
    }

    private final ThreadSwitches origin;
    private final Map<Figure, List<Double>> values = new EnumMap<>(Figure.class);
    private final Map<Latency, LatencyHistogram> latencies = new EnumMap<>(Latency.class);

    private ThreadSwitches switchesBefore = ThreadSwitches.now();
    private ThreadSwitches.Count switches = ThreadSwitches.Count.NONE;
    private ThreadCpu cpuBefore = ThreadCpu.now();
    private long startedAt;
    private double cpuNanos;
    private double wallNanos;
    private long hiredNanos;
    private long tasks;
    private int passes;

    /** @param origin from before the contender was made: threads that came later are its own */
    public Recorder(ThreadSwitches origin) {
        this.origin = origin;
    }

    /** Starts the clocks of what a pass costs. */
    public void begin() {
        switchesBefore = ThreadSwitches.now();
        cpuBefore = ThreadCpu.now();
        startedAt = System.nanoTime();
    }

    /** Stops them, while the contender's threads still live; returns the nanoseconds between. */
    public long end(int ran) {
        long nanos = System.nanoTime() - startedAt;
        wallNanos += nanos;
        cpuNanos += cpuBefore.nanosSince();
        switches = switches.plus(ThreadSwitches.now().since(switchesBefore, origin), 1);
        tasks += ran;
        passes++;
        return nanos;
    }

    /** Adds a value; the fork's figure is the median of those of its passes. */
    public void value(Figure figure, double value) {
        values.computeIfAbsent(figure, none -> new ArrayList<>()).add(value);
    }

    public LatencyHistogram latency(Latency latency) {
        return latencies.computeIfAbsent(latency, none -> new LatencyHistogram());
    }

    /** Processor time so far of the contender's own threads, without the JVM's and the calling one, in nanoseconds. */
    public long contenderCpuNanos() {
        return ThreadCpu.others(origin.threads());
    }

    /** Voluntary switches so far of those threads. */
    public double contenderSwitches() {
        return ThreadSwitches.now().ofThreadsAfter(origin).voluntary();
    }

    public double cpuMillis() {
        return cpuNanos / 1e6;
    }

    /** Tasks so far. */
    public long tasks() {
        return tasks;
    }

    /** Adds processor time of other processes that the workload itself started. */
    public void hired(long nanos) {
        hiredNanos += nanos;
    }

    public long hiredNanos() {
        return hiredNanos;
    }

    public double wallMillis() {
        return wallNanos / 1e6;
    }

    /** All that was found. */
    public Map<Figure, Double> figures(int threadsBefore) {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        values.forEach((figure, found) -> figures.put(figure, Spread.of(found).median()));
        latencies.forEach((latency, histogram) -> {
            figures.put(latency.median, histogram.percentile(0.5) / latency.nanosPerUnit);
            figures.put(latency.tail, histogram.percentile(0.99) / latency.nanosPerUnit);
        });
        if (tasks > 0) {
            figures.put(Figure.CPU_PER_TASK, cpuNanos / 1_000 / tasks);
            figures.put(Figure.VOLUNTARY, switches.voluntary() / tasks);
            figures.put(Figure.INVOLUNTARY, switches.involuntary() / tasks);
        }
        figures.put(Figure.PASSES, (double) passes);
        figures.put(Figure.TASKS, (double) tasks);
        figures.put(Figure.THREADS, (double) (OwnProcess.peakThreads() - threadsBefore));
        return figures;
    }
}
