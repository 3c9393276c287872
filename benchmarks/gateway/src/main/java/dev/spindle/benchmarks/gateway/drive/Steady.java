// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.forks.PerfGroup;
import dev.spindle.benchmarks.forks.ThreadSwitches;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A load that stays the same, and what the gateway costs under it. */
public final class Steady implements Subject {
    public static final List<Figure> FIGURES = List.of(
            Figures.CPU,
            Figures.RATE,
            Figures.MEAN,
            Figures.P50,
            Figures.P99,
            Figures.CPU_PERCENT,
            Figures.USER_PERCENT,
            Figures.SYSTEM_PERCENT,
            Figures.ALL_THREADS,
            Figures.SWITCHES,
            Figures.SYSTEM_CALLS,
            Figures.MEMORY,
            Figures.BAD);

    private static final Duration TAIL = Duration.ofSeconds(60);
    private static final double NANOS_PER_SECOND = 1e9;

    private final Shape shape;
    private final Scale scale;
    private final Stage stage;

    public Steady(Entrant entrant, Shape shape, Scale scale) {
        this.shape = shape.scaled(scale);
        this.scale = scale;
        stage = new Stage(entrant, shape.route(), this.shape.connections(), scale);
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        stage.delay(shape.delayMillis(), 0);
        long calls = stage.settledCalls();
        long failed = stage.failed();
        stage.record(recorder, () -> measure(recorder, calls, failed));
    }

    @Override
    public void close() {
        stage.close();
    }

    @Override
    public long violations() {
        return stage.violations();
    }

    /** A reading of everything. */
    private record Reading(long nanos, long calls, ProcessUsage usage) {}

    /**
     * @param callsBefore calls of backends so far
     * @param failedBefore requests that the gateway has not answered well so far
     */
    private void measure(Recorder recorder, long callsBefore, long failedBefore)
            throws IOException, InterruptedException {
        Duration ramp = Shape.ramp(scale);
        Duration window = shape.window(scale);
        Duration whole = ramp.plus(window).plus(Shape.counting(scale));
        try (Load load = start(whole)) {
            Thread.sleep(ramp.toMillis());
            ThreadSwitches switches = ThreadSwitches.of(stage.pid());
            Reading first = read();
            Instant from = Instant.now();
            Thread.sleep(window.toMillis());
            Reading last = read();
            Instant to = Instant.now();
            ThreadSwitches.Count switched = ThreadSwitches.of(stage.pid()).since(switches);
            double requests = requests(first, last);
            counted(recorder, requests / seconds(first, last));
            Load.Outcome all = load.await(whole.plus(TAIL));
            Load.Outcome outcome = load instanceof H2load ? all.less(stage.failed() - failedBefore) : all;
            Load.Outcome timed = load instanceof H2load paced ? H2load.outcome(paced.between(from, to), 0) : outcome;
            costs(recorder, first, last);
            recorder.value(Figure.VOLUNTARY, switched.voluntary() / requests);
            recorder.value(Figure.INVOLUNTARY, switched.involuntary() / requests);
            recorder.value(Figures.MEAN, timed.meanMillis());
            recorder.value(Figures.P50, timed.p50Millis() - shape.requestMillis());
            recorder.value(Figures.P99, timed.p99Millis() - shape.requestMillis());
            recorder.value(Figures.BAD, (double) outcome.bad());
            stage.conserve(stage.settledCalls() - callsBefore, outcome, shape.connections());
        }
    }

    private Load start(Duration time) throws IOException {
        return shape.paced()
                ? H2load.paced(stage.url(), shape.connections(), shape.perConnection(), time)
                : new Wrk(stage.url(), shape.connections(), time);
    }

    private Reading read() {
        return new Reading(System.nanoTime(), stage.calls(), ProcessUsage.of(stage.pid()));
    }

    private double requests(Reading first, Reading last) {
        return (double) (last.calls - first.calls) / shape.route().calls();
    }

    private static double seconds(Reading first, Reading last) {
        return (last.nanos - first.nanos) / NANOS_PER_SECOND;
    }

    private void costs(Recorder recorder, Reading first, Reading last) {
        double requests = requests(first, last);
        double nanos = last.nanos - first.nanos;
        double cpu = last.usage.cpuNanos() - first.usage.cpuNanos();
        recorder.value(Figure.OPS, requests);
        recorder.value(Figure.CPU, cpu / requests);
        recorder.value(Figures.CPU, 1_000 * cpu / NANOS_PER_SECOND / requests);
        recorder.value(Figures.RATE, requests / seconds(first, last));
        recorder.value(Figures.CPU_PERCENT, 100 * cpu / nanos);
        recorder.value(Figures.USER_PERCENT, 100 * (last.usage.userNanos() - first.usage.userNanos()) / nanos);
        recorder.value(Figures.SYSTEM_PERCENT, 100 * (last.usage.systemNanos() - first.usage.systemNanos()) / nanos);
    }

    /** @param perSecond requests a second, for as long as the load stays the same */
    private void counted(Recorder recorder, double perSecond) throws InterruptedException {
        if (stage.perf().isEmpty()) {
            return;
        }
        PerfGroup.Count count = stage.perf().get().begin();
        long start = System.nanoTime();
        Thread.sleep(Shape.counting(scale).toMillis() / 2);
        double requests = perSecond * (System.nanoTime() - start) / NANOS_PER_SECOND;
        PerfGroup.Counts counts = count.end();
        recorder.value(Figures.SWITCHES, counts.switches() / requests);
        recorder.value(Figure.FUTEX, counts.futexCalls() / requests);
        recorder.value(Figures.SYSTEM_CALLS, counts.systemCalls() / requests);
    }
}
