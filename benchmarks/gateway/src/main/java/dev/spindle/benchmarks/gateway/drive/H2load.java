// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * {@code h2load} with HTTP/1.1: exactly so many requests, over so many connections, as fast as they are answered or at
 * a rate that does not depend on the answers. It logs each request, so that those of a while can be told from the rest.
 */
final class H2load extends Load {
    private static final int GOOD = 200;
    /**
     * What it says of a status line without a reason, which RFC 9112 allows; the gateway knows how many of those were
     * good.
     */
    private static final int UNREAD = 0;

    private static final int UNAVAILABLE = 503;
    private static final double MICROS_PER_MILLI = 1_000;
    /** A connection on which nothing comes for so long is given up. */
    private static final String INACTIVITY = "20s";

    /** What a line of its log says. */
    record Request(long startMicros, int status, long micros) {
        boolean good() {
            return status == GOOD || status == UNREAD;
        }

        double millis() {
            return micros / MICROS_PER_MILLI;
        }
    }

    private final List<Request> log = new ArrayList<>();
    private final long requests;

    private H2load(long requests, List<String> options, String url) throws IOException {
        super(folder -> {
            List<String> command = new ArrayList<>(List.of("h2load", "--h1", "-t", "1", "-n", Long.toString(requests)));
            command.addAll(options);
            command.addAll(List.of("-N", INACTIVITY, "--log-file=" + folder.resolve("log")));
            command.add(url);
            return command;
        });
        this.requests = requests;
    }

    /** So many requests as fast as they are answered. */
    static H2load count(String url, int connections, int requests) throws IOException {
        return new H2load(requests, List.of("-c", Integer.toString(connections)), url);
    }

    /**
     * Each connection sends at this rate; they begin one after the other within one of its periods, so that they do not
     * come in waves.
     */
    static H2load paced(String url, int connections, double perConnection, Duration time) throws IOException {
        long each = Math.max(1, Math.round(perConnection * time.toMillis() / 1_000));
        double periodMillis = 1_000 / perConnection;
        int steps = (int) Math.max(1, Math.min(connections, periodMillis / 10));
        List<String> options = List.of(
                "-c",
                Integer.toString(connections),
                "--rps=" + String.format(Locale.ROOT, "%.4f", perConnection),
                "-r",
                Integer.toString((connections + steps - 1) / steps),
                "--rate-period=" + Math.max(1, Math.round(periodMillis / steps)) + "ms");
        return new H2load(each * connections, options, url);
    }

    /** The requests that were sent in a while; after the end. */
    List<Request> between(Instant from, Instant to) {
        long first = micros(from);
        long last = micros(to);
        return log.stream()
                .filter(request -> request.startMicros >= first && request.startMicros < last)
                .toList();
    }

    @Override
    Outcome outcome(Path files, List<String> output) throws IOException {
        try (Stream<String> lines = Files.lines(files.resolve("log"))) {
            lines.map(H2load::request).forEach(log::add);
        }
        return outcome(log, requests);
    }

    static Outcome outcome(List<Request> log, long requests) {
        double[] millis = log.stream()
                .filter(Request::good)
                .mapToDouble(Request::millis)
                .sorted()
                .toArray();
        return new Outcome(
                millis.length,
                requests - millis.length,
                false,
                percentile(millis, 0.5),
                percentile(millis, 0.99),
                Arrays.stream(millis).average().orElse(Double.NaN));
    }

    /** The times of refusals, in milliseconds. */
    static double[] refused(List<Request> log) {
        return log.stream()
                .filter(request -> request.status == UNAVAILABLE)
                .mapToDouble(Request::millis)
                .sorted()
                .toArray();
    }

    /** NaN where there is none. */
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
}
