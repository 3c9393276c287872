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
 * A Linux control group, version 1 or 2, that limits the processor time of its processes. The group is created in the
 * control group of this process, or in the nearest ancestor that permits the creation.
 */
record ControlGroup(Path path) implements AutoCloseable {
    private static final int PERIOD_MICROS = 100_000;

    /**
     * Creates a group that limits its processes to the time of the given number of processors; returns empty if no
     * group can be created.
     */
    static Optional<ControlGroup> of(double processors) {
        for (Path parent : candidates()) {
            ControlGroup group = new ControlGroup(
                    parent.resolve("spindle-bench-" + ProcessHandle.current().pid()));
            try {
                Files.createDirectory(group.path);
                group.limit((int) (processors * PERIOD_MICROS));
                List<String> command = new ArrayList<>(group.prefix());
                command.add("true");
                if (Programs.succeeds(command.toArray(String[]::new))) {
                    return Optional.of(group);
                }
            } catch (IOException e) {
                // The next candidate may permit the creation.
            }
            group.close();
        }
        return Optional.empty();
    }

    private void limit(int micros) throws IOException {
        if (Files.exists(path.resolve("cpu.max"))) {
            Files.writeString(path.resolve("cpu.max"), micros + " " + PERIOD_MICROS);
        } else {
            Files.writeString(path.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_MICROS));
            Files.writeString(path.resolve("cpu.cfs_quota_us"), Integer.toString(micros));
        }
    }

    /** Returns the command prefix that runs a command in the group. */
    List<String> prefix() {
        return List.of("sh", "-c", "echo $$ > '" + path.resolve("cgroup.procs") + "' && exec \"$@\"", "sh");
    }

    /** Returns the file with the time for which the kernel throttled the group. */
    Path statistics() {
        return path.resolve("cpu.stat");
    }

    /** Returns the milliseconds for which the kernel has throttled the group, or NaN if the file has no such line. */
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

    /** Removes the group, whose processes must have ended. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // A group that cannot be removed limits no process. The group of the next run has another name.
        }
    }

    /** Returns the control groups of this process and their ancestors, nearest first. */
    private static List<Path> candidates() {
        List<Path> candidates = new ArrayList<>();
        try {
            List<String> mounts = Files.readAllLines(Path.of("/proc/self/mounts"));
            for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
                String[] parts = line.split(":", 3);
                boolean second = parts[1].isEmpty();
                for (String[] mount :
                        mounts.stream().map(text -> text.split(" ", -1)).toList()) {
                    boolean found = second
                            ? mount[2].equals("cgroup2")
                            : mount[2].equals("cgroup") && hasCpu(parts[1]) && hasCpu(mount[3]);
                    if (found) {
                        Path root = Path.of(mount[1]);
                        Path group = root.resolve(parts[2].substring(1)).normalize();
                        for (; group != null && group.startsWith(root); group = group.getParent()) {
                            candidates.add(group);
                        }
                    }
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        return candidates;
    }

    private static boolean hasCpu(String list) {
        return List.of(list.split(",", -1)).contains("cpu");
    }
}
