// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import dev.spindle.benchmarks.compare.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A running load generator, {@code h2load} with HTTP/1.1. The program sends a fixed number of requests, or sends
 * requests for a fixed time or at a fixed rate. The program writes a line per request to a log file.
 */
public final class H2load implements AutoCloseable {
    private static final int GOOD = 200;
    /** The status that {@code h2load} logs for a response whose status line has no reason, which RFC 9112 permits. */
    private static final int UNREAD = 0;

    private static final int UNAVAILABLE = 503;

    private final Path logged;
    private final Process process;
    private final long requests; // 0 if the run has a fixed time instead
    private final List<Request> log = new ArrayList<>();

    record Request(long startMicros, int status, long micros) {
        boolean good() {
            return status == GOOD || status == UNREAD;
        }
    }

    /**
     * @param answered the number of requests with a correct response
     * @param bad the number of requests without a response, with an error, or with another status
     * @param cut true if the run ended while requests were in progress, which the gateway has received but which are
     *         not counted
     */
    record Outcome(long answered, long bad, boolean cut, double p50Millis, double p99Millis) {
        /** Returns this outcome with {@code failed} of the answered requests counted as bad. */
        Outcome less(long failed) {
            return new Outcome(answered - failed, bad + failed, cut, p50Millis, p99Millis);
        }
    }

    private H2load(String url, int connections, long requests, String... options) throws IOException {
        this.requests = requests;
        logged = Files.createTempFile("spindle-bench-load", ".log");
        List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -n $(ulimit -Hn); exec \"$@\"", "sh"));
        command.addAll(List.of("h2load", "--h1", "-t", "1", "-c", Integer.toString(connections)));
        command.addAll(List.of(options));
        command.addAll(List.of("-N", "20s", "--log-file=" + logged, url));
        process = new ProcessBuilder(command).redirectErrorStream(true).start(); // the output fits in a pipe
    }

    public static boolean missing() {
        return !Programs.succeeds("h2load", "--version");
    }

    /** Sends the given number of requests; each connection sends a request after the response to its previous one. */
    static H2load count(String url, int connections, int requests) throws IOException {
        return new H2load(url, connections, requests, "-n", Integer.toString(requests));
    }

    /** Sends requests for the given time; each connection sends a request after the response to its previous one. */
    static H2load during(String url, int connections, Duration time) throws IOException {
        return new H2load(url, connections, 0, "-D", Long.toString(time.toSeconds()));
    }

    /**
     * Sends requests at the given rate on each connection. The connections start at different times within one period
     * of the rate, so that requests do not arrive in bursts.
     */
    static H2load paced(String url, int connections, double perConnection, Duration time) throws IOException {
        long each = Math.max(1, Math.round(perConnection * time.toMillis() / 1_000));
        double periodMillis = 1_000 / perConnection;
        int steps = (int) Math.max(1, Math.min(connections, periodMillis / 10));
        return new H2load(
                url,
                connections,
                each * connections,
                "-n",
                Long.toString(each * connections),
                "--rps=" + String.format(Locale.ROOT, "%.4f", perConnection),
                "-r",
                Integer.toString((connections + steps - 1) / steps),
                "--rate-period=" + Math.max(1, Math.round(periodMillis / steps)) + "ms");
    }

    /** Waits up to {@code limit} for the end of the load generator, and returns the outcome of all its requests. */
    Outcome await(Duration limit) throws IOException, InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            throw new IllegalStateException("the load generator failed, or did not end within " + limit + ": "
                    + said.substring(Math.max(0, said.length() - 500)));
        }
        try (Stream<String> lines = Files.lines(logged)) {
            lines.map(H2load::request).forEach(log::add);
        }
        return outcome(log, requests);
    }

    /** Returns the requests that were sent between two times, after {@link #await} has returned. */
    List<Request> between(Instant from, Instant to) {
        long first = micros(from);
        long last = micros(to);
        return log.stream()
                .filter(request -> request.startMicros >= first && request.startMicros < last)
                .toList();
    }

    /** @param requests the number of requests that were to be sent, or 0 for the number of lines in the log */
    static Outcome outcome(List<Request> log, long requests) {
        double[] millis = millis(log, Request::good);
        long sent = requests == 0 ? log.size() : requests;
        return new Outcome(
                millis.length, sent - millis.length, requests == 0, percentile(millis, 0.5), percentile(millis, 0.99));
    }

    /** Returns the latencies of the requests refused with status 503, in milliseconds. */
    static double[] refused(List<Request> log) {
        return millis(log, request -> request.status == UNAVAILABLE);
    }

    private static double[] millis(List<Request> log, Predicate<Request> which) {
        return log.stream()
                .filter(which)
                .mapToDouble(request -> request.micros / 1_000.0)
                .sorted()
                .toArray();
    }

    static double percentile(double[] sorted, double share) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.max(0, Math.ceil(share * sorted.length) - 1)];
    }

    static Request request(String line) {
        String[] columns = line.split("\t", -1);
        return new Request(Long.parseLong(columns[0]), Integer.parseInt(columns[1]), Long.parseLong(columns[2]));
    }

    private static long micros(Instant time) {
        return time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        Files.deleteIfExists(logged);
    }
}
