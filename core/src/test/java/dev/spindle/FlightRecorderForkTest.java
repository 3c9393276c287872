// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.forked.BareRun;
import dev.spindle.forked.LateRecording;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that depend on the modules or the history of a JVM, so that each starts a new one. */
@Timeout(120)
class FlightRecorderForkTest {
    @TempDir
    Path directory;

    private String main = "";
    private String test = "";

    @BeforeEach
    void findClasses() throws Exception {
        main = ForkedJvm.placeOf(Spindle.class);
        test = ForkedJvm.placeOf(BareRun.class);
    }

    @Test
    void classPath_withoutTheModuleJfr_runsEverything() throws Exception {
        run("--limit-modules", "java.base", "-cp", main + File.pathSeparator + test, BareRun.class.getName());
    }

    @Test
    void modulePath_withoutTheModuleJfr_runsEverything() throws Exception {
        run(
                "--limit-modules",
                "java.base,dev.spindle.core",
                "--module-path",
                main,
                "--add-modules",
                "dev.spindle.core",
                "-cp",
                test,
                BareRun.class.getName());
    }

    @Test
    void modulePath_recordedFromTheStart_hasEvents() throws Exception {
        Path file = directory.resolve("named.jfr");

        run(
                "--module-path",
                main,
                "--add-modules",
                "dev.spindle.core,jdk.jfr",
                "-XX:StartFlightRecording:filename=" + file,
                "-cp",
                test,
                BareRun.class.getName(),
                "slow");

        List<RecordedEvent> events = events(file);
        assertThat(events)
                .extracting(event -> event.getEventType().getName())
                .contains(
                        "dev.spindle.TaskRun",
                        "dev.spindle.WorkerStart",
                        "dev.spindle.WorkerEnd",
                        "dev.spindle.Growth",
                        "dev.spindle.Rejection");
        assertThat(events)
                .allSatisfy(event -> assertThat(event.getString("spindle")).isEqualTo("bare"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "prepared"})
    void recording_startedWhileTheWorkersSleep_hasWhatComesThen(String when) throws Exception {
        Path file = directory.resolve("late.jfr");
        List<String> arguments = new ArrayList<>(
                List.of("-cp", main + File.pathSeparator + test, LateRecording.class.getName(), file.toString()));
        if (!when.isEmpty()) {
            arguments.add(when);
        }

        run(arguments.toArray(String[]::new));

        assertThat(events(file))
                .filteredOn(event -> event.getEventType().getName().equals("dev.spindle.TaskRun"))
                .extracting(event -> event.getString("key"))
                .containsExactly(null, "key");
    }

    private static List<RecordedEvent> events(Path file) throws Exception {
        List<RecordedEvent> events = new ArrayList<>(RecordingFile.readAllEvents(file));
        events.removeIf(event -> !event.getEventType().getName().startsWith("dev.spindle."));
        return events;
    }

    private void run(String... arguments) throws Exception {
        Path output = directory.resolve("output");
        Process jvm =
                ForkedJvm.of(List.of(arguments)).redirectOutput(output.toFile()).start();
        try {
            assertThat(jvm.waitFor(100, TimeUnit.SECONDS)).as("ended").isTrue();
            assertThat(jvm.exitValue()).as(Files.readString(output)).isZero();
        } finally {
            jvm.destroyForcibly();
        }
    }
}
