// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.contexts;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An application under the agent of OpenTelemetry, in a process of its own. */
final class AgentProcess {
    private AgentProcess() {}

    /** Runs an application to its end, and returns the lines that it printed. */
    static List<String> run(Path folder, Class<?> application, List<String> properties, String... arguments)
            throws Exception {
        String path = requireNonNull(System.getProperty("java.class.path"));
        String agent = Arrays.stream(path.split(File.pathSeparator, -1))
                .filter(jar -> jar.contains("opentelemetry-javaagent"))
                .findFirst()
                .orElse("");
        assumeTrue(new File(agent).isFile(), "the agent's jar, a test dependency of this module, cannot be had");
        Path output = folder.resolve("output");
        List<String> command = new ArrayList<>(List.of(
                Path.of(requireNonNull(System.getProperty("java.home")), "bin", "java")
                        .toString(),
                "-javaagent:" + agent,
                "-Dotel.traces.exporter=none",
                "-Dotel.metrics.exporter=none",
                "-Dotel.logs.exporter=none",
                "-Dotel.javaagent.logging=none"));
        command.addAll(properties);
        command.addAll(List.of("-cp", path, application.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(250, TimeUnit.SECONDS);
        process.destroyForcibly();
        List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
        assertThat(ended).as("%s", lines).isTrue();
        assertThat(process.exitValue()).as("%s", lines).isZero();
        return lines;
    }
}
