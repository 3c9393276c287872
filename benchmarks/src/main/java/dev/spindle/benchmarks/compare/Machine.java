// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/** Describes the machine and the JVM of a measurement on one line, for the heading of a report. */
final class Machine {
    private Machine() {}

    static String text() {
        return String.format(
                Locale.ROOT,
                "Java %s (%s %s) on %d processors: %s, %s %s.",
                property("java.version"),
                property("java.vm.name"),
                property("java.vm.version"),
                Runtime.getRuntime().availableProcessors(),
                processor(),
                property("os.name"),
                property("os.version"));
    }

    private static String processor() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(property("os.arch"));
        } catch (IOException e) {
            return property("os.arch");
        }
    }

    private static String property(String name) {
        return Objects.requireNonNullElse(System.getProperty(name), "unknown");
    }
}
