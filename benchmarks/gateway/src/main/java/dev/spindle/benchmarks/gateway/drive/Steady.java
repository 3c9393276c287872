// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Perf;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.ThreadCosts;
import dev.spindle.benchmarks.gateway.servers.Plan;
import dev.spindle.benchmarks.gateway.servers.Route;
import dev.spindle.benchmarks.gateway.servers.ServerMain;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Measures the costs of the gateway under a constant load. */
public final class Steady extends Stage {
    public static final Figure CPU = Figure.less("cpu_s_per_1000", "CPU s/1,000 requests");

    public static final Figure RATE = Figure.more("requests_per_s", "requests/s");
    /** The latency of a request minus the delay of its backends. */
    public static final Figure P50 = Figure.less("p50_excess_ms", "p50 above the delay, ms");

    public static final Figure P99 = Figure.less("p99_excess_ms", "p99 above the delay, ms");
    public static final Figure SWITCHES = Figure.less("switches_per_request", "context switches/request");
    public static final Figure SYSTEM_CALLS = Figure.less("system_calls_per_request", "system calls/request");
    public static final Figure BAD = Figure.worst("bad", "errors and other statuses than 200");
    public static final List<Figure> FIGURES =
            List.of(CPU, RATE, P50, P99, ALL_THREADS, SWITCHES, SYSTEM_CALLS, MEMORY, BAD);

    private static final Duration TAIL = Duration.ofSeconds(60);

    private final Shape shape;

    /**
     * The load of a run.
     *
     * @param delayMillis the mean delay of a backend
     * @param paced true if requests are sent at a fixed rate
     */
    public record Shape(Route route, int connections, int delayMillis, boolean paced) {
        /** The fraction of time in which a paced connection has a request in progress. */
        private static final double SHARE = 0.8;

        double perConnection() {
            return SHARE * 1_000 / delayMillis;
        }

        /** Returns this load; a scaled-down fork has fewer connections and a shorter delay. */
        private Shape scaled(Scale scale) {
            return scale.full() ? this : new Shape(route, scale.of(connections, 20), Math.min(100, delayMillis), paced);
        }

        private Duration window(Scale scale) {
            return scale.full() ? Duration.ofMillis(Math.max(8_000, 10L * delayMillis)) : Duration.ofSeconds(2);
        }

        public Duration expected() {
            return Duration.ofSeconds(16).plus(window(Scale.FULL));
        }
    }

    public Steady(ServerMain.Kind kind, Plan.Guard guard, Shape shape, Scale scale) {
        super(kind, guard, shape.route(), shape.scaled(scale).connections(), WARM_UP_MILLIS, scale);
        this.shape = shape.scaled(scale);
    }

    /** Returns the time after which all connections are open and have received responses. */
    static Duration ramp(Scale scale) {
        return Duration.ofSeconds(scale.full() ? 3 : 1);
    }

    private record Reading(long nanos, long calls, long cpuNanos) {}

    @Override
    void measure(Recorder recorder) throws IOException, InterruptedException {
        delay(shape.delayMillis(), 0);
        long callsBefore = settledCalls();
        long failedBefore = failed();
        Duration ramp = ramp(scale);
        Duration window = shape.window(scale);
        Duration counting = Duration.ofSeconds(scale.full() ? 2 : 1);
        Duration whole = ramp.plus(window).plus(counting);
        try (H2load load = start(whole)) {
            Thread.sleep(ramp.toMillis());
            ThreadCosts switches = ThreadCosts.of(pid());
            Reading first = read();
            Instant from = Instant.now();
            Thread.sleep(window.toMillis());
            Reading last = read();
            Instant to = Instant.now();
            ThreadCosts.Cost switched = ThreadCosts.of(pid()).since(switches);
            double requests =
                    (double) (last.calls - first.calls) / shape.route().calls();
            double seconds = (last.nanos - first.nanos) / 1e9;
            count(recorder, counting.toMillis() / 2, requests / seconds);
            H2load.Outcome outcome = load.await(whole.plus(TAIL)).less(failed() - failedBefore);
            H2load.Outcome timed = H2load.outcome(load.between(from, to), 0);
            double cpu = last.cpuNanos - first.cpuNanos;
            recorder.value(Figure.OPS, requests);
            recorder.value(Figure.CPU, cpu / requests);
            recorder.value(CPU, cpu / 1e6 / requests);
            recorder.value(RATE, requests / seconds);
            recorder.value(Figure.VOLUNTARY, switched.voluntary() / requests);
            recorder.value(Figure.INVOLUNTARY, switched.involuntary() / requests);
            recorder.value(P50, timed.p50Millis() - shape.delayMillis());
            recorder.value(P99, timed.p99Millis() - shape.delayMillis());
            recorder.value(BAD, (double) outcome.bad());
            conserve(settledCalls() - callsBefore, outcome, shape.connections());
        }
    }

    private H2load start(Duration time) throws IOException {
        return shape.paced()
                ? H2load.paced(url(), shape.connections(), shape.perConnection(), time)
                : H2load.during(url(), shape.connections(), time);
    }

    private Reading read() {
        return new Reading(System.nanoTime(), calls(), cpuNanos());
    }

    /** Counts system calls in a separate interval, because counting them slows the gateway. */
    private void count(Recorder recorder, long millis, double requestsPerSecond) throws InterruptedException {
        if (countsFutex) {
            Perf perf = Perf.of(pid());
            long start = System.nanoTime();
            Thread.sleep(millis);
            double requests = requestsPerSecond * (System.nanoTime() - start) / 1e9;
            List<Long> counts = perf.end();
            recorder.value(SWITCHES, counts.get(0) / requests);
            recorder.value(Figure.FUTEX, counts.get(1) / requests);
            recorder.value(SYSTEM_CALLS, counts.get(2) / requests);
        }
    }
}
