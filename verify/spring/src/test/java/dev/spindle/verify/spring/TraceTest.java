// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.spring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The application under the agent of OpenTelemetry. */
@Tag("once")
@Timeout(600)
class TraceTest {
    @TempDir
    Path folder;

    @Test
    void trace_ofARequestUnderTheAgent_isWholeAtEachEntry() throws Exception {
        String agent = Arrays.stream(
                        requireNonNull(System.getProperty("java.class.path")).split(File.pathSeparator, -1))
                .filter(jar -> jar.contains("opentelemetry-javaagent"))
                .findFirst()
                .orElse("");
        assumeTrue(new File(agent).isFile(), "the agent's jar, a test dependency of this module, cannot be had");
        List<String> options = List.of(
                "-javaagent:" + agent,
                "-Dotel.traces.exporter=none",
                "-Dotel.metrics.exporter=none",
                "-Dotel.logs.exporter=none",
                "-Dotel.javaagent.logging=none");
        try (ApplicationProcess application = ApplicationProcess.start(
                folder, options, "spring.profiles.active=traces", "spindle.pools.orders.max-threads=64")) {
            String kept = application.get("/traces");

            assertThat(kept).contains("\"control\":false"); // a pool without the decorator loses it
            assertThat(kept.replace("\"control\":false", ""))
                    .contains(
                            "\"request\":true",
                            "\"plain\":true",
                            "\"key\":true",
                            "\"coalesced\":true",
                            "\"strand\":true",
                            "\"executor\":true",
                            "\"delayed\":true",
                            "\"actor\":true",
                            "\"stage\":true",
                            "\"method\":true",
                            "\"coalescing\":true")
                    .doesNotContain("false");
        }
    }
}
