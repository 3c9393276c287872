// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import dev.spindle.benchmarks.forks.Fields;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * {@code wrk}: so many connections, each of which sends its next request when the last was answered. They begin one
 * after the other within a second, so that they do not come in waves.
 */
final class Wrk extends Load {
    private static final String MARK = "@wrk ";

    /** The script runs in wrk; it only spreads the first requests, and prints what wrk counts. */
    private static final String SCRIPT = """
            local begun = 0
            local connections = CONNECTIONS
            function delay()
              if begun < connections then
                begun = begun + 1
                return math.floor(begun * 1000 / connections)
              end
              return 0
            end
            function done(summary, latency, requests)
              local errors = summary.errors
              io.write(string.format("@wrk requests=%d connect=%d read=%d write=%d status=%d timeout=%d"
                .. " p50=%.3f p99=%.3f mean=%.3f\\n", summary.requests, errors.connect, errors.read, errors.write,
                errors.status, errors.timeout, latency:percentile(50), latency:percentile(99), latency.mean))
            end
            """;

    private static final double MICROS_PER_MILLI = 1_000;

    Wrk(String url, int connections, Duration time) throws IOException {
        super(folder -> {
            Path script = folder.resolve("script.lua");
            Files.writeString(script, SCRIPT.replace("CONNECTIONS", Integer.toString(connections)));
            return List.of(
                    "wrk",
                    "-t1",
                    "-c" + connections,
                    "-d" + time.toSeconds() + "s",
                    "--timeout",
                    "30s",
                    "-s",
                    script.toString(),
                    url);
        });
    }

    @Override
    Outcome outcome(Path files, List<String> output) {
        return parse(output);
    }

    static Outcome parse(List<String> output) {
        Map<String, String> found = output.stream()
                .filter(line -> line.startsWith(MARK))
                .map(line -> Fields.decode(line.substring(MARK.length())))
                .findFirst()
                .orElseThrow(() -> new UncheckedIOException(new IOException("wrk said " + output)));
        long requests = count(found, "requests");
        long status = count(found, "status");
        long errors = count(found, "connect") + count(found, "read") + count(found, "write") + count(found, "timeout");
        return new Outcome(
                requests - status,
                status + errors,
                true,
                millis(found, "p50"),
                millis(found, "p99"),
                millis(found, "mean"));
    }

    private static long count(Map<String, String> found, String name) {
        return Long.parseLong(value(found, name));
    }

    private static double millis(Map<String, String> found, String name) {
        return Double.parseDouble(value(found, name)) / MICROS_PER_MILLI;
    }

    private static String value(Map<String, String> found, String name) {
        String value = found.get(name);
        if (value == null) {
            throw new IllegalStateException("wrk told no " + name + ": " + found);
        }
        return value;
    }
}
