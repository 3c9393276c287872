// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The number of classes that a fresh JVM loads until the first task runs, which determines the start-up time. A count,
 * unlike a time, does not depend on the load of the machine.
 */
@Timeout(60)
class StartUpTest {
    /**
     * The maximum number of this library's classes, a few more than needed. Each takes about a fifth of a millisecond.
     */
    private static final int MOST_OF_OURS = 124;

    @TempDir
    Path folder;

    private List<String> loaded = List.of();

    @BeforeEach
    void run() throws Exception {
        Path log = folder.resolve("log");
        Process process = ForkedJvm.of(FirstTask.class, "-Xlog:class+load:file=" + log + ":none")
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(folder.resolve("output")))
                .isZero();
        List<String> all = Files.readAllLines(log, StandardCharsets.UTF_8);
        int first = 0;
        while (!all.get(first).startsWith(FirstTask.class.getName() + " ")) {
            first++;
        }
        int last = first;
        while (!all.get(last).startsWith(Reached.class.getName() + " ")) {
            last++;
        }
        loaded = all.subList(first + 1, last);
    }

    @Test
    void firstTask_inAFreshJvm_needsFewClasses() {
        assertThat(loaded).filteredOn(line -> line.startsWith("dev.spindle.")).hasSizeBetween(20, MOST_OF_OURS);
    }

    @Test
    void firstTask_inAFreshJvm_generatesNoClass() {
        assertThat(loaded)
                .hasSizeGreaterThan(MOST_OF_OURS)
                .as("a lambda, a method reference, or a method that is called by reflection")
                .filteredOn(line -> line.contains("$$Lambda") || line.contains("LookupDefineClass"))
                .isEmpty();
    }

    @Test
    void firstTask_inAFreshJvm_setsUpNeitherLogNorRecorder() {
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

    /** The program of the other JVM. */
    static final class FirstTask {
        private FirstTask() {}

        public static void main(String[] arguments) throws Exception {
            try (Spindle spindle = Spindle.create()) {
                spindle.keyed("keys").submit("key", new Task()).get();
            }
        }
    }

    /** Classes loaded before this runs were needed. Later ones may be loaded by idle workers. */
    private static final class Task implements Runnable {
        @Override
        public void run() {
            Reached.note();
        }
    }

    /** A class whose line in the log marks the end of the start-up. */
    private static final class Reached {
        static void note() {}
    }
}
