// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Forked JVMs, and what Linux and perf tell of processes. */
@Timeout(120)
class ProcessesTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void run_mainThatFailsOrHangs_keepsItsLastWordsAndEndsAtItsLimit() throws IOException, InterruptedException {
        assertThat(run("last words", Duration.ofMinutes(1)).problem()).contains("exit code 1", "last words");
        assertThat(run("hang", Duration.ofMillis(300)).endedAfter()).contains(Duration.ofMillis(300));
    }

    @Test
    void quota_busyProcess_isHeldUp() throws IOException, InterruptedException {
        Optional<ControlGroup> made = ControlGroup.of(0.1);
        assumeThat(made).as("a control group can be made").isPresent();
        try (ControlGroup quota = made.orElseThrow()) {
            String path = Programs.property("java.class.path");
            ProcessBuilder fork = Programs.java(quota.prefix(), path, Fork.class, List.of(), List.of("burn"));
            assertThat(Programs.run(fork, Duration.ofMinutes(1)).exit()).isZero();
            assertThat(ControlGroup.throttledMillis(quota.statistics())).isPositive();
        }
        assertThat(made.orElseThrow().statistics()).doesNotExist();
    }

    private static Programs.Output run(String what, Duration limit) throws IOException, InterruptedException {
        return Programs.run(Programs.java(Fork.class, List.of(), List.of(what)), limit);
    }

    @Test
    void dialogue_programThatEndsEarly_isNamedWithItsLastLines() {
        String script = "read line; echo \"a $line b\"; read line; echo it broke; exit 3";
        Programs.Dialogue program = new Programs.Dialogue("a program", new ProcessBuilder("sh", "-c", script));

        assertThat(program.ask("mark", "mark")).isEqualTo(" b");
        assertThatThrownBy(() -> program.ask("again", "mark"))
                .isInstanceOf(StalledException.class)
                .hasMessage("a program ended with 3: it broke");
    }

    static final class Fork {
        public static void main(String[] args) throws InterruptedException {
            switch (args[0]) {
                case "hang" -> Thread.currentThread().join();
                case "burn" -> RecorderTest.spin(500_000_000);
                default -> throw new IllegalArgumentException(args[0]);
            }
        }
    }

    @Test
    void throttledMillis_eitherVersion_isInMilliseconds() throws IOException {
        Path second = Files.writeString(folder.resolve("2"), "nr_throttled 3\nthrottled_usec 2500\n");
        Path first = Files.writeString(folder.resolve("1"), "nr_throttled 3\nthrottled_time 2500000\n");

        assertThat(ControlGroup.throttledMillis(second)).isEqualTo(2.5);
        assertThat(ControlGroup.throttledMillis(first)).isEqualTo(2.5);
        assertThat(ControlGroup.throttledMillis(folder.resolve("none"))).isNaN();
    }

    @Test
    void perf_itsList_isACountOfEachEvent() {
        List<String> lines = List.of(
                "# started on Mon", "", "12,,context-switches,a/group,1804,100.00,,", "<not counted>,,futex,0,,,");

        assertThat(Perf.counts(lines, 2)).containsExactly(12L, 0L);
        assertThatThrownBy(() -> Perf.counts(List.of("no permission"), 2)).hasMessageContaining("[no permission]");
    }

    @Test
    void perf_threadsThatPark_areCounted() throws InterruptedException {
        assumeThat(Perf.countsFutex()).as("perf may count system calls").isTrue();
        Semaphore there = new Semaphore(0);
        Semaphore back = new Semaphore(0);
        int trips = 1_000;
        Perf perf = Perf.ofOwnFutexCalls();
        Thread echo = Waits.start("echo", () -> {
            for (int trip = 0; trip < trips; trip++) {
                there.acquireUninterruptibly();
                back.release();
            }
        });
        for (int trip = 0; trip < trips; trip++) {
            while (echo.getState() != Thread.State.WAITING) { // otherwise the release wakes no thread
                Thread.yield();
            }
            there.release();
            back.acquire();
        }
        echo.join();

        assertThat(perf.end()).allMatch(count -> count > trips / 10);
    }
}
