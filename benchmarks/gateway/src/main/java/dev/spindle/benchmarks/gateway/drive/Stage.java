// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import dev.spindle.benchmarks.compare.ControlGroup;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Perf;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.compare.Waits;
import dev.spindle.benchmarks.gateway.servers.Plan;
import dev.spindle.benchmarks.gateway.servers.Route;
import dev.spindle.benchmarks.gateway.servers.ServerMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The processes of a fork: the echo server, and a gateway that has given correct answers and is warmed up. */
abstract class Stage implements Subject {
    /** The peak number of threads, including the JVM's own. */
    static final Figure ALL_THREADS = Figure.worst("all_threads", "threads in all");

    static final Figure MEMORY = Figure.worst("peak_mib", "peak memory, MiB");

    private static final int WARM_UP_REQUESTS = 30_000;
    private static final int WARM_UP_CONNECTIONS = 300;
    private static final int WARM_UP_DELAY_MILLIS = 20;
    private static final Duration WARM_UP_LIMIT = Duration.ofSeconds(90);
    private static final int SETTLE_MILLIS = 100;
    private static final int SETTLE_TIMES = 20;
    private static final int THREADS_PERIOD_MILLIS = 50;

    final Scale scale;
    final Optional<ControlGroup> counted = Perf.group();
    private final Route route;
    private final ServerProcess echo;
    private final ServerProcess gateway;
    private final int bareThreads; // the threads of a JVM that does nothing
    private long violations;

    /** @param connections the maximum number of clients */
    Stage(ServerMain.Kind kind, Plan.Guard guard, Route route, int connections, Scale scale) {
        this.route = route;
        this.scale = scale;
        try (ServerProcess bare = ServerProcess.gateway(ServerMain.Kind.BARE, List.of(), List.of())) {
            bareThreads = ProcessUsage.of(bare.pid()).threads();
        }
        echo = ServerProcess.echo();
        Plan plan = new Plan(echo.ports(), connections, guard);
        List<String> prefix = counted.map(ControlGroup::prefix).orElse(List.of());
        gateway = ServerProcess.gateway(kind, prefix, plan.arguments());
        try {
            delay(1, 0);
            check();
            delay(WARM_UP_DELAY_MILLIS, 0);
            warmUp(Math.min(connections, WARM_UP_CONNECTIONS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while it was warmed up", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Measures the figures of one load. */
    abstract void measure(Recorder recorder) throws IOException, InterruptedException;

    /**
     * Also records the peak threads and memory of the gateway, and the processor time of the gateway, the
     * echo server and the load generators that have ended.
     */
    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        long before = cpuNanos();
        AtomicInteger most = new AtomicInteger();
        Thread looking = Waits.start(
                "thread-peak",
                () -> Waits.ignoring(() -> {
                    while (true) {
                        most.accumulateAndGet(ProcessUsage.of(pid()).threads(), Math::max);
                        Thread.sleep(THREADS_PERIOD_MILLIS);
                    }
                }));
        try {
            measure(recorder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            looking.interrupt();
        }
        recorder.value(ALL_THREADS, most.get());
        recorder.value(Figure.THREADS, most.get() - bareThreads);
        recorder.value(MEMORY, ProcessUsage.peakMemory(pid()));
        recorder.hired(cpuNanos() - before);
    }

    private long cpuNanos() {
        return ProcessUsage.of(pid()).cpuNanos()
                + ProcessUsage.of(echo.pid()).cpuNanos()
                + ProcessUsage.of(ProcessHandle.current().pid()).childrenNanos();
    }

    final String url() {
        return "http://127.0.0.1:" + gateway.ports().get(0) + route.path();
    }

    final long pid() {
        return gateway.pid();
    }

    /**
     * Sets the delay of the backends from now on, and the number of requests that each serves at a time, 0 for no
     * bound.
     */
    final void delay(double millis, int places) {
        echo.ask("delay " + millis + " " + places);
    }

    /** Returns the number of calls of backends so far. */
    final long calls() {
        return Long.parseLong(echo.ask("calls"));
    }

    /** Returns the number of failed requests that the gateway's answers do not show. */
    final long failed() {
        return Long.parseLong(gateway.ask(ServerMain.FAILED));
    }

    /** Returns the number of calls of backends when it no longer grows. */
    final long settledCalls() throws InterruptedException {
        long before = calls();
        for (int time = 0; time < SETTLE_TIMES; time++) {
            Thread.sleep(SETTLE_MILLIS);
            long now = calls();
            if (now == before) {
                return now;
            }
            before = now;
        }
        return before;
    }

    /**
     * Counts as violations the calls that a load does not explain: a request that succeeded has called each backend
     * once, and another at most once.
     */
    final void conserve(long calls, H2load.Outcome outcome, int connections) {
        violations += unexplained(route, calls, outcome, connections);
    }

    static long unexplained(Route route, long calls, H2load.Outcome outcome, int connections) {
        long least = route.calls() * outcome.answered();
        long most = least + route.calls() * (outcome.bad() + (outcome.cut() ? connections : 0));
        return calls < least ? least - calls : Math.max(0, calls - most);
    }

    @Override
    public final long violations() {
        return violations;
    }

    @Override
    public final void close() {
        gateway.close();
        echo.close();
        counted.ifPresent(ControlGroup::close);
    }

    private void check() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url()))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(Duration.ofSeconds(10))
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200 || !route.complete(response.body())) {
            throw new IllegalStateException(
                    "a wrong answer from " + url() + ": " + response.statusCode() + " " + response.body());
        }
    }

    private void warmUp(int clients) throws IOException, InterruptedException {
        long before = calls();
        try (H2load load = H2load.count(url(), clients, scale.of(WARM_UP_REQUESTS, clients))) {
            H2load.Outcome outcome = load.await(WARM_UP_LIMIT);
            if (outcome.answered() == 0) {
                throw new IllegalStateException("none of the requests that warm it up was answered");
            }
            conserve(settledCalls() - before, outcome, clients);
        }
    }
}
