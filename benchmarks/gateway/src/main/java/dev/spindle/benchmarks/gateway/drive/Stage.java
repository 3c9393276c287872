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

/** The processes of a fork: the echo server, and a gateway that has given correct answers and is warmed up. */
abstract class Stage implements Subject {
    /** The peak number of threads, including the JVM's own. */
    static final Figure ALL_THREADS = Figure.worst("all_threads", "threads in all");

    static final Figure MEMORY = Figure.worst("peak_mib", "peak memory, MiB");
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
    private final int bareThreads; // the threads of a JVM that does nothing
    private long violations;

    /** @param connections the maximum number of clients */
    Stage(Kind kind, Plan.Guard guard, Route route, int connections, Scale scale) {
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
            delay(20, 0);
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

    /** Returns the processor time of the gateway. */
    final long cpuNanos() {
        return ticks(read(pid(), "stat"), 11) * NANOS_PER_TICK;
    }

    private long allNanos() {
        long ended = ticks(read(ProcessHandle.current().pid(), "stat"), 13); // of the child processes that have ended
        return cpuNanos() + (ticks(read(echo.process().pid(), "stat"), 11) + ended) * NANOS_PER_TICK;
    }

    /**
     * Returns the sum of two fields of a process, the times in user and in system mode.
     *
     * @param index the index of the first after the name, which is in brackets and may contain anything
     */
    static long ticks(String stat, int index) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return Long.parseLong(fields[index]) + Long.parseLong(fields[index + 1]);
    }

    /**
     * Sets the delay of the backends from now on, and the number of requests that each serves at a time, 0 for no
     * bound.
     */
    final void delay(double millis, int places) {
        echo.ask("delay " + millis + " " + places, ServerMain.ANSWER);
    }

    /** Returns the number of calls of backends so far. */
    final long calls() {
        return Long.parseLong(echo.ask("calls", ServerMain.ANSWER));
    }

    /** Returns the number of failed requests that the gateway's answers do not show. */
    final long failed() {
        return Long.parseLong(gateway.ask("failed", ServerMain.ANSWER));
    }

    /** Returns the number of calls of backends when it no longer grows, or after two seconds. */
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
