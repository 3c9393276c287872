// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The classes that a fresh JVM loads for the creation of a spindle, a first task and the close. Their number determines
 * the start-up time. A count, unlike a time, does not depend on the load of the machine.
 */
@Timeout(60)
class StartUpTest {
    @TempDir
    Path folder;

    /** Returns the classes that the program {@code kind} loads, and writes its output to {@code output}. */
    private List<String> loadedBy(String kind) throws Exception {
        Path log = folder.resolve("log");
        ProcessBuilder jvm = ForkedJvm.of(FirstTask.class, "-Xlog:class+load:file=" + log + ":none");
        jvm.command().add(kind);
        Process process = jvm.redirectOutput(folder.resolve("output").toFile()).start();
        assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output()).isZero();
        List<String> all = Files.readAllLines(log, StandardCharsets.UTF_8);
        int first = 0;
        while (!all.get(first).startsWith(FirstTask.class.getName() + " ")) {
            first++;
        }
        return all.subList(first + 1, all.size());
    }

    private String output() throws Exception {
        return Files.readString(folder.resolve("output"));
    }

    /**
     * The maximum is the number on JDK 25 and three more, since a few classes depend on the timing of the threads. Each
     * class takes about a fifth of a millisecond.
     */
    @ParameterizedTest
    @CsvSource({"plain,97", "keyed,100"})
    void firstTaskAndClose_inAFreshJvm_needFewClasses(String kind, int most) throws Exception {
        assertThat(loadedBy(kind))
                .filteredOn(line -> line.startsWith("dev.spindle.") && !line.startsWith("dev.spindle.StartUpTest"))
                .hasSizeBetween(20, most);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "keyed"})
    void firstTaskAndClose_inAFreshJvm_generateNoClass(String kind) throws Exception {
        assertThat(loadedBy(kind))
                .hasSizeGreaterThan(100)
                .as("a lambda, a method reference, or a method that is called by reflection")
                .filteredOn(line -> line.contains("$$Lambda") || line.contains("LookupDefineClass"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "keyed"})
    void closeSoonAfterTheFirstTask_setsUpNeitherLogNorRecorder(String kind) throws Exception {
        List<String> loaded = loadedBy(kind);

        assertThat(loaded)
                .filteredOn(line -> line.startsWith("jdk.internal.logger.")
                        || line.startsWith("java.util.logging.")
                        || line.startsWith("sun.util.logging."))
                .isEmpty();
        assertThat(loaded)
                .filteredOn(line -> line.startsWith("jdk.jfr."))
                .as("this one tells whether the recorder is in use")
                .allMatch(line -> line.startsWith("jdk.jfr.FlightRecorder "));
    }

    @Test
    void failureOfTheFirstTask_isLogged() throws Exception {
        assertThat(loadedBy("failing")).anyMatch(line -> line.startsWith("jdk.internal.logger."));
        assertThat(output()).contains("of spindle first failed").contains("the first failure");
    }

    /** The program of the other JVM. */
    static final class FirstTask implements Runnable {
        private FirstTask() {}

        public static void main(String[] arguments) throws Exception {
            String kind = arguments[0];
            try (Spindle spindle =
                    kind.equals("failing") ? Spindle.builder().name("first").build() : Spindle.create()) {
                if (kind.equals("keyed")) {
                    spindle.keyed("keys").submit("key", new FirstTask()).get();
                } else if (kind.equals("plain")) {
                    spindle.submit(new FirstTask()).get();
                } else {
                    spindle.execute(new Failing());
                }
            }
        }

        @Override
        public void run() {}
    }

    private static final class Failing implements Runnable {
        @Override
        public void run() {
            throw new IllegalStateException("the first failure");
        }
    }
}
