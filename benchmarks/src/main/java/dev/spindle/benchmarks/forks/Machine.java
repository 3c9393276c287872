// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What figures were taken on: the head of a report.
 *
 * @param processor the processor's name, or its architecture where the system tells no more
 */
public record Machine(String java, String vm, String system, String processor, int processors) {
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    public static Machine here() {
        return new Machine(
                property("java.version"),
                property("java.vm.name") + " " + property("java.vm.version"),
                property("os.name") + " " + property("os.version"),
                processorName().orElse(property("os.arch")),
                Runtime.getRuntime().availableProcessors());
    }

    /** One line. */
    public String text() {
        return String.format(
                Locale.ROOT, "Java %s (%s) on %d processors: %s, %s.", java, vm, processors, processor, system);
    }

    private static Optional<String> processorName() {
        try (Stream<String> lines = Files.lines(PROCESSORS)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static String property(String name) {
        return Objects.requireNonNullElse(System.getProperty(name), "unknown");
    }
}
