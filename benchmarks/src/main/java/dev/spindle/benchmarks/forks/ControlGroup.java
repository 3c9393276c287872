// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A control group of Linux. It is made below this process's own group or the nearest above it that allows that, in
 * version 2 or 1, and removed when closed; no other group is changed.
 */
public final class ControlGroup implements AutoCloseable {
    private final Path mount;
    private final Path path;

    private ControlGroup(Path mount, Path path) {
        this.mount = mount;
        this.path = path;
    }

    /** What makes a new group into what is wanted. */
    interface Setting {
        void on(Path group) throws IOException;
    }

    /** A group above which others can be made. */
    private record Parent(Path mount, Path path) {}

    /**
     * Makes a group.
     *
     * @param controller what version 1 calls the hierarchy that it is in
     * @return empty where this process may make none
     */
    static Optional<ControlGroup> open(String controller, Setting setting) {
        for (Parent parent : parents(controller)) {
            String name = "spindle-bench-" + ProcessHandle.current().pid();
            ControlGroup group = new ControlGroup(parent.mount, parent.path.resolve(name));
            try {
                Files.createDirectory(group.path);
                setting.on(group.path);
                if (Programs.succeeds(group.into("true"))) {
                    return Optional.of(group);
                }
            } catch (IOException e) {
                // Then perhaps further up.
            }
            group.close();
        }
        return Optional.empty();
    }

    /** What to put before a command, so that it runs in the group. */
    public List<String> prefix() {
        return List.of(into());
    }

    Path path() {
        return path;
    }

    /** Its path below the root of the hierarchy. */
    String name() {
        return mount.relativize(path).toString();
    }

    /** Removes the group; its processes must have ended. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // An empty group is left behind. It limits nobody, and the next run's has another name.
        }
    }

    private String[] into(String... command) {
        List<String> words = new ArrayList<>(
                List.of("sh", "-c", "echo $$ > '" + path.resolve("cgroup.procs") + "' && exec \"$@\"", "sh"));
        words.addAll(List.of(command));
        return words.toArray(String[]::new);
    }

    /** The own groups and all above them, nearest first. */
    private static List<Parent> parents(String controller) {
        List<Parent> parents = new ArrayList<>();
        try {
            List<String> mounts = Files.readAllLines(Path.of("/proc/self/mounts"));
            for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
                String[] parts = line.split(":", 3);
                boolean second = parts[1].isEmpty();
                if (second || List.of(parts[1].split(",", -1)).contains(controller)) {
                    mounts.stream()
                            .map(mount -> mount.split(" ", -1))
                            .filter(mount -> second
                                    ? "cgroup2".equals(mount[2])
                                    : "cgroup".equals(mount[2])
                                            && List.of(mount[3].split(",", -1)).contains(controller))
                            .findFirst()
                            .ifPresent(mount -> addUpwards(parents, Path.of(mount[1]), parts[2]));
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        return parents;
    }

    private static void addUpwards(List<Parent> parents, Path mount, String own) {
        Path group = mount.resolve(own.substring(1)).normalize();
        for (; group != null && group.startsWith(mount); group = group.getParent()) {
            parents.add(new Parent(mount, group));
        }
    }
}
