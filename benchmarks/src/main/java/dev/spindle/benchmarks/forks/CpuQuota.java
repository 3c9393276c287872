// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A control group of Linux that gives its processes only so much of the processors. It is made below this process's own
 * group or the nearest above it that allows that, in version 2 or 1, and removed when closed; no other group is changed.
 */
public final class CpuQuota implements AutoCloseable {
    private static final int PERIOD_MICROS = 100_000;

    private final Path group;

    private CpuQuota(Path group) {
        this.group = group;
    }

    /**
     * Makes the group.
     *
     * @param processors how many processors' worth of time its processes get
     * @return empty where this process may make none
     */
    public static Optional<CpuQuota> open(double processors) {
        for (Path parent : parents()) {
            Path group =
                    parent.resolve("spindle-bench-" + ProcessHandle.current().pid());
            CpuQuota quota = new CpuQuota(group);
            try {
                Files.createDirectory(group);
                quota.limit((int) (processors * PERIOD_MICROS));
                if (Programs.succeeds(quota.into("true"))) {
                    return Optional.of(quota);
                }
            } catch (IOException e) {
                // Then perhaps further up.
            }
            quota.close();
        }
        return Optional.empty();
    }

    /** What to put before a command, so that it runs in the group. */
    public List<String> prefix() {
        return List.of(into());
    }

    /** Where the kernel tells how long it held the group's processes up. */
    public Path statistics() {
        return group.resolve("cpu.stat");
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
        try {
            Files.deleteIfExists(group);
        } catch (IOException e) {
            // An empty group is left behind. It limits nobody, and the next run's has another name.
        }
    }

    static double throttled(String line) {
        String[] words = line.split(" ", -1);
        return switch (words[0]) {
            case "throttled_usec" -> Long.parseLong(words[1]) / 1e3;
            case "throttled_time" -> Long.parseLong(words[1]) / 1e6;
            default -> Double.NaN;
        };
    }

    private void limit(int micros) throws IOException {
        if (Files.exists(group.resolve("cpu.max"))) {
            Files.writeString(group.resolve("cpu.max"), micros + " " + PERIOD_MICROS);
        } else {
            Files.writeString(group.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_MICROS));
            Files.writeString(group.resolve("cpu.cfs_quota_us"), Integer.toString(micros));
        }
    }

    private String[] into(String... command) {
        List<String> words = new ArrayList<>(
                List.of("sh", "-c", "echo $$ > '" + group.resolve("cgroup.procs") + "' && exec \"$@\"", "sh"));
        words.addAll(List.of(command));
        return words.toArray(String[]::new);
    }

    /** The own groups and all above them, nearest first. */
    private static List<Path> parents() {
        List<Path> parents = new ArrayList<>();
        try {
            List<String> mounts = Files.readAllLines(Path.of("/proc/self/mounts"));
            for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
                String[] parts = line.split(":", 3);
                boolean second = parts[1].isEmpty();
                if (second || List.of(parts[1].split(",", -1)).contains("cpu")) {
                    mounts.stream()
                            .map(mount -> mount.split(" ", -1))
                            .filter(mount -> second
                                    ? "cgroup2".equals(mount[2])
                                    : "cgroup".equals(mount[2])
                                            && List.of(mount[3].split(",", -1)).contains("cpu"))
                            .findFirst()
                            .ifPresent(mount -> addUpwards(parents, Path.of(mount[1]), parts[2]));
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        return parents;
    }

    private static void addUpwards(List<Path> parents, Path mount, String own) {
        Path group = mount.resolve(own.substring(1)).normalize();
        for (; group != null && group.startsWith(mount); group = group.getParent()) {
            parents.add(group);
        }
    }
}
