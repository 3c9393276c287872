// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A load generator at work. */
abstract class Load implements AutoCloseable {
    private final Path folder;
    private final Process process;

    /** @param command gets a folder for the program's files, which goes when this is closed */
    Load(Command command) throws IOException {
        folder = Files.createTempDirectory("spindle-bench-load");
        List<String> whole = new ArrayList<>(List.of("sh", "-c", "ulimit -n $(ulimit -Hn); exec \"$@\"", "sh"));
        whole.addAll(command.in(folder));
        process = new ProcessBuilder(whole)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start();
    }

    interface Command {
        List<String> in(Path folder) throws IOException;
    }

    /**
     * What came of all requests.
     *
     * @param answered requests with a good answer
     * @param bad requests with another answer, with none, or with an error
     * @param cut whether requests were under way when it ended, so that the gateway has seen more than these
     */
    record Outcome(long answered, long bad, boolean cut, double p50Millis, double p99Millis, double meanMillis) {
        /** The same where some answers were not as good as they looked. */
        Outcome less(long failed) {
            return new Outcome(answered - failed, bad + failed, cut, p50Millis, p99Millis, meanMillis);
        }
    }

    /** Waits for the end. */
    final Outcome await(Duration limit) throws IOException, InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("the load generator did not end within " + limit + ": " + output());
        }
        if (process.exitValue() != 0) {
            throw new IllegalStateException("the load generator failed: " + output());
        }
        return outcome(folder, Files.readAllLines(folder.resolve("out")));
    }

    abstract Outcome outcome(Path files, List<String> output) throws IOException;

    @Override
    public final void close() throws IOException {
        process.destroyForcibly();
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private String output() throws IOException {
        String text = Files.readString(folder.resolve("out")).strip();
        return text.substring(Math.max(0, text.length() - 500));
    }
}
