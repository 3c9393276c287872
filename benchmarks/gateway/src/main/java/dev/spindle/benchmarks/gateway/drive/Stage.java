// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.forks.PerfGroup;
import dev.spindle.benchmarks.gateway.servers.Answers;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The processes of a fork: the echo server, and a gateway that has given right answers and is warmed up. */
final class Stage implements AutoCloseable {
    private static final int WARM_UP_REQUESTS = 30_000;
    private static final int WARM_UP_CONNECTIONS = 300;
    private static final int WARM_UP_DELAY_MILLIS = 20;
    private static final Duration WARM_UP_LIMIT = Duration.ofSeconds(90);
    private static final int SETTLE_MILLIS = 100;
    private static final int SETTLE_TIMES = 20;

    private final Route route;
    private final Optional<PerfGroup> perf;
    private final ServerProcess echo;
    private final ServerProcess gateway;
    private final int bareThreads; // of a JVM that does nothing
    private long violations;

    /** @param connections how many clients there will be at most */
    Stage(Entrant entrant, Route route, int connections, Subject.Scale scale) {
        this.route = route;
        try (ServerProcess bare = ServerProcess.gateway(ServerMain.Kind.BARE, List.of(), List.of())) {
            bareThreads = ProcessUsage.of(bare.pid()).threads();
        }
        echo = ServerProcess.echo();
        perf = PerfGroup.open();
        Plan plan = new Plan(echo.ports(), connections, entrant.guard());
        List<String> prefix = new ArrayList<>(perf.map(PerfGroup::prefix).orElse(List.of()));
        prefix.addAll(entrant.prefix());
        gateway = ServerProcess.gateway(entrant.kind(), prefix, plan.arguments());
        try {
            delay(1, 0);
            check();
            delay(WARM_UP_DELAY_MILLIS, 0);
            warmUp(connections, scale);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while it was warmed up", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String url() {
        return "http://127.0.0.1:" + gateway.ports().get(0) + route.path();
    }

    /** Sets how long backends take from now on, and how many requests each serves at a time, 0 for any number. */
    void delay(double millis, int places) {
        echo.ask("delay " + millis + " " + places);
    }

    /** Calls of backends so far. */
    long calls() {
        return Long.parseLong(echo.ask("calls"));
    }

    /** Requests that the gateway could not answer well, where its answers do not tell. */
    long failed() {
        return Long.parseLong(gateway.ask(ServerMain.FAILED));
    }

    /** Calls of backends when no more come in. */
    long settledCalls() throws InterruptedException {
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

    long pid() {
        return gateway.pid();
    }

    Optional<PerfGroup> perf() {
        return perf;
    }

    /** A load on the gateway, with what it shows. */
    interface Trial {
        void run() throws IOException, InterruptedException;
    }

    /**
     * Runs a trial, and records the most threads and memory that the gateway has had by its end, and the processor time
     * of the gateway, the echo server and the load generators.
     */
    void record(Recorder recorder, Trial trial) throws InterruptedException {
        long before = cpuNanos();
        try (ThreadPeak peak = new ThreadPeak(gateway.pid())) {
            trial.run();
            recorder.value(Figures.ALL_THREADS, peak.most());
            recorder.value(Figure.THREADS, peak.most() - bareThreads);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        recorder.value(Figures.MEMORY, ProcessUsage.peakMemory(gateway.pid()));
        recorder.hired(cpuNanos() - before);
    }

    /** Of the load generators, those that have ended. */
    private long cpuNanos() {
        return ProcessUsage.of(gateway.pid()).cpuNanos()
                + ProcessUsage.of(echo.pid()).cpuNanos()
                + ProcessUsage.of(ProcessHandle.current().pid()).childrenNanos();
    }

    /**
     * Adds what is wrong with the number of calls that some load led to: a request that was answered well has called
     * each backend once, and others at most once.
     */
    void conserve(long calls, Load.Outcome outcome, int connections) {
        violations += unexplained(route, calls, outcome, connections);
    }

    static long unexplained(Route route, long calls, Load.Outcome outcome, int connections) {
        long least = route.calls() * outcome.answered();
        long most = least + route.calls() * (outcome.bad() + (outcome.cut() ? connections : 0));
        return calls < least ? least - calls : Math.max(0, calls - most);
    }

    long violations() {
        return violations;
    }

    @Override
    public void close() {
        gateway.close();
        echo.close();
        perf.ifPresent(PerfGroup::close);
    }

    private void check() throws IOException, InterruptedException {
        HttpClient client = HttpClient.newHttpClient();
        HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(URI.create(url()))
                        .version(HttpClient.Version.HTTP_1_1)
                        .timeout(Duration.ofSeconds(10))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200 || !Answers.complete(route, response.body())) {
            throw new IllegalStateException(
                    "a wrong answer from " + url() + ": " + response.statusCode() + " " + response.body());
        }
    }

    private void warmUp(int connections, Subject.Scale scale) throws IOException, InterruptedException {
        int clients = Math.min(connections, WARM_UP_CONNECTIONS);
        long before = calls();
        try (H2load load = H2load.count(url(), clients, scale.of(WARM_UP_REQUESTS, clients))) {
            Load.Outcome outcome = load.await(WARM_UP_LIMIT);
            if (outcome.answered() == 0) {
                throw new IllegalStateException("none of the requests that warm it up was answered");
            }
            conserve(settledCalls() - before, outcome, clients);
        }
    }
}
