// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A control group of Linux, version 1 or 2, for processes that are counted or limited together. It is created below the
 * group of this process, or below its nearest ancestor that permits it.
 */
public final class ControlGroup implements AutoCloseable {
    private static final int PERIOD_MICROS = 100_000;

    private final Path mount;
    private final Path path;

    private ControlGroup(Path mount, Path parent) {
        this.mount = mount;
        path = parent.resolve("spindle-bench-" + ProcessHandle.current().pid());
    }

    /** A setting of a new group. */
    private interface Setting {
        void on(Path group) throws IOException;
    }

    /** Creates a group whose processes get a share of the processors' time; empty if that is not permitted. */
    static Optional<ControlGroup> ofQuota(double processors) {
        return open("cpu", group -> limit(group, (int) (processors * PERIOD_MICROS)));
    }

    /** Creates a group whose processes {@code perf} can count; empty if that is not permitted. */
    static Optional<ControlGroup> ofCounts() {
        return open("perf_event", group -> {});
    }

    private static Optional<ControlGroup> open(String controller, Setting setting) {
        for (ControlGroup group : candidates(controller)) {
            try {
                Files.createDirectory(group.path);
                setting.on(group.path);
                List<String> command = new ArrayList<>(group.prefix());
                command.add("true");
                if (Programs.succeeds(command.toArray(String[]::new))) {
                    return Optional.of(group);
                }
            } catch (IOException e) {
                // The next group above may permit it.
            }
            group.close();
        }
        return Optional.empty();
    }

    private static void limit(Path group, int micros) throws IOException {
        if (Files.exists(group.resolve("cpu.max"))) {
            Files.writeString(group.resolve("cpu.max"), micros + " " + PERIOD_MICROS);
        } else {
            Files.writeString(group.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_MICROS));
            Files.writeString(group.resolve("cpu.cfs_quota_us"), Integer.toString(micros));
        }
    }

    /** Returns the prefix that runs a command in the group. */
    public List<String> prefix() {
        return List.of("sh", "-c", "echo $$ > '" + path.resolve("cgroup.procs") + "' && exec \"$@\"", "sh");
    }

    /** Returns the path below the root of the hierarchy. */
    String name() {
        return mount.relativize(path).toString();
    }

    /** Returns the file with the time for which the kernel throttled the group's processes. */
    Path statistics() {
        return path.resolve("cpu.stat");
    }

    /** Returns the milliseconds for which processes were throttled so far; NaN if the file does not contain them. */
    static double throttledMillis(Path statistics) {
        try (Stream<String> lines = Files.lines(statistics)) {
            return lines.map(line -> line.split(" ", -1))
                    .filter(words -> words[0].equals("throttled_usec") || words[0].equals("throttled_time"))
                    .mapToDouble(words -> Long.parseLong(words[1]) / (words[0].endsWith("usec") ? 1e3 : 1e6))
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
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // An empty group stays. It limits no process, and the group of the next run has another name.
        }
    }

    /** Returns a group below each group of this process and each above, nearest first. */
    private static List<ControlGroup> candidates(String controller) {
        List<ControlGroup> candidates = new ArrayList<>();
        try {
            List<String> mounts = Files.readAllLines(Path.of("/proc/self/mounts"));
            for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
                String[] parts = line.split(":", 3);
                boolean second = parts[1].isEmpty();
                if (second || List.of(parts[1].split(",", -1)).contains(controller)) {
                    mounts.stream()
                            .map(mount -> mount.split(" ", -1))
                            .filter(mount -> mount[2].equals(second ? "cgroup2" : "cgroup"))
                            .filter(mount ->
                                    second || List.of(mount[3].split(",", -1)).contains(controller))
                            .findFirst()
                            .ifPresent(mount -> addUpwards(candidates, Path.of(mount[1]), parts[2]));
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        return candidates;
    }

    private static void addUpwards(List<ControlGroup> candidates, Path mount, String own) {
        Path group = mount.resolve(own.substring(1)).normalize();
        for (; group != null && group.startsWith(mount); group = group.getParent()) {
            candidates.add(new ControlGroup(mount, group));
        }
    }
}
