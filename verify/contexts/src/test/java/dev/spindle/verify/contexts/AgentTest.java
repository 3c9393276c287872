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
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An application under the agent of OpenTelemetry, in a process of its own. */
@Tag("once")
@Timeout(600)
class AgentTest {
    /** The property of the README, without its name. */
    private static final String CLASSES =
            "dev.spindle.Spindle,dev.spindle.Strand,dev.spindle.LogicalExecutor,dev.spindle.Keyed$KeyLane";

    @TempDir
    Path folder;

    @Test
    void a4_agentWithADecorator_keepsTheTraceAtEachEntry() throws Exception {
        assertThat(keeping(List.of(), "decorator")).isEqualTo(EnumSet.allOf(Entry.class));
    }

    @Test
    void a4_agentWithItsProperty_keepsTheTraceOfTheExecutors() throws Exception {
        assertThat(keeping(List.of("-Dotel.instrumentation.executors.include=" + CLASSES)))
                .contains(Entry.PLAIN, Entry.SUBMIT, Entry.KEY_AS_EXECUTOR, Entry.STRAND, Entry.LOGICAL_EXECUTOR)
                .doesNotContain(Entry.KEY); // as without the property; if this changes, the README has to
    }

    /** Returns the entries that keep the trace. */
    private Set<Entry> keeping(List<String> properties, String... arguments) throws Exception {
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
        command.addAll(List.of("-cp", path, AgentApplication.class.getName()));
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
        return lines.stream()
                .filter(line -> line.endsWith(" keeps"))
                .map(line -> Entry.valueOf(line.substring(0, line.indexOf(' '))))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Entry.class)));
    }
}
