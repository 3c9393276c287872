// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A control group that gives its processes only so much of the processors. */
public final class CpuQuota implements AutoCloseable {
    private static final int PERIOD_MICROS = 100_000;

    private final ControlGroup group;

    private CpuQuota(ControlGroup group) {
        this.group = group;
    }

    /**
     * Makes the group.
     *
     * @param processors how many processors' worth of time its processes get
     * @return empty where this process may make none
     */
    public static Optional<CpuQuota> open(double processors) {
        return ControlGroup.open("cpu", group -> limit(group, (int) (processors * PERIOD_MICROS)))
                .map(CpuQuota::new);
    }

    /** What to put before a command, so that it runs in the group. */
    public List<String> prefix() {
        return group.prefix();
    }

    /** Where the kernel tells how long it held the group's processes up. */
    public Path statistics() {
        return group.path().resolve("cpu.stat");
    }

    /** The time in milliseconds for which processes were held up so far; NaN where the file does not tell. */
    public static double throttledMillis(Path statistics) {
        try (Stream<String> lines = Files.lines(statistics)) {
            return lines.mapToDouble(CpuQuota::throttled)
                    .filter(millis -> !Double.isNaN(millis))
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException e) {
            return Double.NaN;
        }
    }

    /** Removes the group; its processes must have ended. */
    @Override
    public void close() {
        group.close();
    }

    static double throttled(String line) {
        String[] words = line.split(" ", -1);
        return switch (words[0]) {
            case "throttled_usec" -> Long.parseLong(words[1]) / 1e3;
            case "throttled_time" -> Long.parseLong(words[1]) / 1e6;
            default -> Double.NaN;
        };
    }

    private static void limit(Path group, int micros) throws IOException {
        if (Files.exists(group.resolve("cpu.max"))) {
            Files.writeString(group.resolve("cpu.max"), micros + " " + PERIOD_MICROS);
        } else {
            Files.writeString(group.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_MICROS));
            Files.writeString(group.resolve("cpu.cfs_quota_us"), Integer.toString(micros));
        }
    }
}
