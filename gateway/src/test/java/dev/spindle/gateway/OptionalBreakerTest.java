// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.command.Main;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The breaker of resilience4j, whose library is optional. {@link BlameTest} has it at work. */
@Timeout(60)
class OptionalBreakerTest {
    private static final String FILE = """
            listen: 127.0.0.1:0
            backends:
              a: {url: http://127.0.0.1:1, breaker: {window: 50, by: resilience4j}}
            routes:
              - {path: /, proxy: a}
            """;

    @TempDir
    private Path directory;

    private record Check(int status, String output) {}

    private static String classPath() {
        return Objects.requireNonNull(System.getProperty("java.class.path"));
    }

    private static String classPathWithoutLibrary() {
        return Arrays.stream(classPath().split(File.pathSeparator))
                .filter(entry -> !entry.contains("resilience4j"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private Check check(String classPath, String configuration) throws IOException, InterruptedException {
        Path file = Files.writeString(directory.resolve("g.yaml"), configuration);
        Process process = new ProcessBuilder(
                        Path.of(Objects.requireNonNull(System.getProperty("java.home")), "bin", "java")
                                .toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        Main.class.getName(),
                        "gateway",
                        "--check",
                        "--routes",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        CompletableFuture.delayedExecutor(50, TimeUnit.SECONDS).execute(process::destroyForcibly);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Check(process.waitFor(), output);
    }

    @Test
    void fileThatAsksForTheLibrary_withIt_isRight() throws Exception {
        Check check = check(classPath(), FILE);

        assertThat(check.output()).contains("is right: 1 backends, 1 routes");
        assertThat(check.status()).isZero();
    }

    @Test
    void fileThatAsksForTheLibrary_withoutIt_isRefusedAtTheOption() throws Exception {
        Check check = check(classPathWithoutLibrary(), FILE);

        assertThat(check.output())
                .contains("g.yaml:3:58: 'by: resilience4j' needs the library resilience4j-circuitbreaker");
        assertThat(check.status()).isEqualTo(2);
    }

    @Test
    void fileWithAnotherBreaker_withoutTheLibrary_isServed() throws Exception {
        String configuration = FILE.replace("by: resilience4j", "by: spindle");
        try (GatewayProcess gateway =
                new GatewayProcess(directory, "true", classPathWithoutLibrary(), List.of(), configuration)) {
            try (Wire wire = Wire.to(gateway.address())) {
                assertThat(wire.send(Wire.get("/")).read().status()).isEqualTo(502);
            }
        }
    }
}
