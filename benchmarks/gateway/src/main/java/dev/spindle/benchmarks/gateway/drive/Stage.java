// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Perf;
import dev.spindle.benchmarks.compare.Programs.Dialogue;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.compare.Waits;
import dev.spindle.benchmarks.gateway.servers.Plan;
import dev.spindle.benchmarks.gateway.servers.Route;
import dev.spindle.benchmarks.gateway.servers.ServerMain;
import dev.spindle.benchmarks.gateway.servers.ServerMain.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Starts the processes of a fork: the echo server and a gateway, which is checked and warmed up. */
abstract class Stage implements Subject {
    /** The peak number of threads of the gateway's process, including the JVM's threads. */
    static final Figure ALL_THREADS = Figure.worst("all_threads", "threads in all");

    static final Figure MEMORY = Figure.worst("peak_mib", "peak memory, MiB");

    /** The mean delay of the backends in the warm-up of a gateway that learns nothing from it. Not measured. */
    static final int WARM_UP_MILLIS = 20;

    private static final int WARM_UP_REQUESTS = 30_000;
    private static final int WARM_UP_CONNECTIONS = 300;
    private static final Duration WARM_UP_LIMIT = Duration.ofSeconds(90);
    private static final long NANOS_PER_TICK = 10_000_000;
    final Scale scale;
    final boolean countsFutex = Perf.countsFutex();
    private final Route route;
    private final Dialogue echo;
    private final Dialogue gateway;
    private final String url;
    private final int bareThreads; // the number of threads of an idle JVM
    private long violations;

    /**
     * @param connections the maximum number of connections to the gateway
     * @param warmUpMillis the mean delay of the backends in the warm-up
     */
    Stage(Kind kind, Plan.Guard guard, Route route, int connections, int warmUpMillis, Scale scale) {
        this.route = route;
        this.scale = scale;
        try (Dialogue bare = ServerMain.start(Kind.BARE, Plan.NONE)) {
            bare.read(ServerMain.READY);
            bareThreads = threads(bare.process().pid());
        }
        echo = ServerMain.start(Kind.ECHO, Plan.NONE);
        Plan plan = new Plan(Plan.ports(echo.read(ServerMain.READY)), connections, guard);
        gateway = ServerMain.start(kind, plan);
        url = "http://127.0.0.1:" + gateway.read(ServerMain.READY) + route.path();
        try {
            delay(1, 0);
            check();
            delay(warmUpMillis, 0);
            warmUp(Math.min(connections, WARM_UP_CONNECTIONS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while it was warmed up", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs the load of the subclass and records its figures. */
    abstract void measure(Recorder recorder) throws IOException, InterruptedException;

    /**
     * Calls {@link #measure}, and records the peak threads and memory of the gateway. The recorded processor time is
     * that of the gateway, the echo server and the load generators that have ended.
     */
    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        long before = allNanos();
        AtomicInteger most = new AtomicInteger();
        Thread looking = Waits.start(
                "thread-peak",
                () -> Waits.ignoring(() -> {
                    while (true) {
                        most.accumulateAndGet(threads(pid()), Math::max);
                        Thread.sleep(50);
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
        recorder.value(MEMORY, status(pid(), "VmHWM:") / 1024.0);
        recorder.hired(allNanos() - before);
    }

    final long pid() {
        return gateway.process().pid();
    }

    final String url() {
        return url;
    }

    private static int threads(long pid) {
        return (int) status(pid, "Threads:");
    }

    private static long status(long pid, String name) {
        String text = read(pid, "status");
        int begin = text.indexOf(name) + name.length();
        return Long.parseLong(text.substring(begin, text.indexOf('\n', begin))
                .replace(" kB", "")
                .strip());
    }

    private static String read(long pid, String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), file));
        } catch (IOException e) {
            throw new UncheckedIOException("process " + pid + " has ended", e);
        }
    }

    final long cpuNanos() {
        return ticks(read(pid(), "stat"), 11) * NANOS_PER_TICK;
    }

    private long allNanos() {
        long ended = ticks(read(ProcessHandle.current().pid(), "stat"), 13); // of ended child processes
        return cpuNanos() + (ticks(read(echo.process().pid(), "stat"), 11) + ended) * NANOS_PER_TICK;
    }

    /**
     * Returns the sum of a process's user time and system time, in clock ticks.
     *
     * @param index the index of the user time among the fields that follow the process's name
     */
    static long ticks(String stat, int index) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return Long.parseLong(fields[index]) + Long.parseLong(fields[index + 1]);
    }

    /** Sets the mean delay of the backends, and the number of requests that each serves at a time; 0 means no bound. */
    final void delay(double millis, int places) {
        echo.ask("delay " + millis + " " + places, ServerMain.ANSWER);
    }

    final long calls() {
        return Long.parseLong(echo.ask("calls", ServerMain.ANSWER));
    }

    /** Returns the number of failed requests that the load generator counts as answered. */
    final long failed() {
        return Long.parseLong(gateway.ask("failed", ServerMain.ANSWER));
    }

    /** Returns the number of calls as soon as two readings 100 ms apart are equal, or after 20 readings. */
    final long settledCalls() throws InterruptedException {
        long before = -1;
        long now = calls();
        for (int time = 0; time < 20 && now != before; time++) {
            Thread.sleep(100);
            before = now;
            now = calls();
        }
        return now;
    }

    /**
     * Counts as violations the calls that a load does not explain. A successful request calls each of its backends
     * exactly once, and a failed request at most once.
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
    }

    private void check() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(Duration.ofSeconds(10))
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200 || !route.complete(response.body())) {
            throw new IllegalStateException(
                    "a wrong answer from " + url + ": " + response.statusCode() + " " + response.body());
        }
    }

    private void warmUp(int clients) throws IOException, InterruptedException {
        long before = calls();
        try (H2load load = H2load.count(url, clients, scale.of(WARM_UP_REQUESTS, clients))) {
            H2load.Outcome outcome = load.await(WARM_UP_LIMIT);
            if (outcome.answered() == 0) {
                throw new IllegalStateException("none of the requests that warm it up was answered");
            }
            conserve(settledCalls() - before, outcome, clients);
        }
    }
}
