// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.forked.StuckKey;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** M5: the tools of the JDK alone, from outside the process, find the one of 10,000 keys that is stuck. */
@Timeout(180)
class StuckFromOutsideTest {
    @TempDir
    Path directory;

    private @Nullable Process process;

    @AfterEach
    void end() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private String start(int threads) throws Exception {
        ProcessBuilder builder = ForkedJvm.of(StuckKey.class);
        builder.command().add(Integer.toString(threads));
        Process started = builder.start();
        process = started;
        BufferedReader output =
                new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8));
        String line = output.readLine();
        while (line != null && !line.equals("ready")) {
            line = output.readLine();
        }
        assertThat(line).isEqualTo("ready");
        return Long.toString(started.pid());
    }

    /** Runs a tool of the JDK, and returns what it has printed. */
    private String run(String tool, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(requireNonNull(System.getProperty("java.home")), "bin", tool)
                .toString());
        command.addAll(List.of(arguments));
        Path output = directory.resolve("output");
        Process run = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(run.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String text = Files.readString(output);
        assertThat(run.exitValue()).as(text).isZero();
        return text;
    }

    /** With one thread, no other task ends any more, and no worker notices that a recording has begun. */
    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void m5_stuckKey_isFoundByJcmdAndJfr(int threads) throws Exception {
        String pid = start(threads);
        Path file = directory.resolve("dump.jfr");

        String unused = run("jcmd", pid, "JFR.start", "name=look");
        String events = "";
        for (int i = 0; i < 30 && !events.contains("order-7777"); i++) { // the process notices within about a second
            Files.deleteIfExists(file);
            String unusedToo = run("jcmd", pid, "JFR.dump", "name=look", "filename=" + file);
            events = run("jfr", "print", "--events", "dev.spindle.Running", file.toString());
        }

        assertThat(events)
                .contains("owner = \"key orders/order-7777\"")
                .contains("key = \"order-7777\"")
                .contains("pending = 3")
                .contains("waitsFor = \"WAITING on a java.util.concurrent.CountDownLatch$Sync\"")
                .contains("dev.spindle.forked.StuckKey.reserve");
        assertThat(events.split("dev.spindle.Running \\{", -1)).as("what runs").hasSizeLessThan(10);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void m5_stuckKey_isFoundInAThreadDump(int threads) throws Exception {
        String pid = start(threads);

        String dump = run("jcmd", pid, "Thread.print");

        String found = dump.substring(dump.indexOf("key orders/order-7777"));
        assertThat(found.substring(0, found.indexOf("\n\n"))).contains("dev.spindle.forked.StuckKey.reserve");
    }
}
