// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.spindle.benchmarks.measure.ProcessorDistance;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Forked JVMs, and what Linux, perf and the processors tell of processes. */
@Timeout(120)
class ProcessesTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void start_mainThatFails_keepsItsLastWords() throws IOException, InterruptedException {
        ForkedJvm.Output output = start(List.of(), "last words", Duration.ofMinutes(1));

        assertThat(output.exit()).isEqualTo(1);
        assertThat(output.problem()).contains("exit code 1", "last words");
    }

    @Test
    void start_mainThatHangs_isEndedAtItsLimit() throws IOException, InterruptedException {
        assertThat(start(List.of(), "hang", Duration.ofMillis(300)).endedAfter())
                .contains(Duration.ofMillis(300));
    }

    @Test
    void quota_busyProcess_isHeldUp() throws IOException, InterruptedException {
        Optional<ControlGroup> made = ControlGroup.ofQuota(0.1);
        assumeThat(made).as("a control group can be made").isPresent();
        try (ControlGroup quota = made.orElseThrow()) {
            assertThat(start(quota.prefix(), "burn", Duration.ofMinutes(1)).exit())
                    .isZero();
            assertThat(ControlGroup.throttledMillis(quota.statistics())).isPositive();
        }
        assertThat(made.orElseThrow().statistics()).doesNotExist();
    }

    private static ForkedJvm.Output start(List<String> prefix, String what, Duration limit)
            throws IOException, InterruptedException {
        return ForkedJvm.start(prefix, Fork.class, List.of(), List.of(what), limit);
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
            there.release();
            back.acquire();
        }
        echo.join();

        assertThat(perf.end()).allMatch(count -> count > trips / 10);
    }

    @Test
    void perf_processOfTheGroup_isCountedAlone() throws IOException, InterruptedException {
        Optional<ControlGroup> made = Perf.group();
        assumeThat(made).as("perf can count a control group").isPresent();
        try (ControlGroup group = made.orElseThrow()) {
            assertThat(Perf.of(group).end()).containsExactly(0L, 0L, 0L);
            List<String> command = new ArrayList<>(group.prefix());
            command.addAll(List.of("sh", "-c", "for turn in 1 2 3 4 5 6 7 8 9 10; do read line; done"));
            Process process = new ProcessBuilder(command).start();
            Perf perf = Perf.of(group);
            process.getOutputStream().write("a\n".repeat(10).getBytes(StandardCharsets.US_ASCII));
            process.getOutputStream().flush();
            process.waitFor();
            assertThat(perf.end().get(2)).isBetween(10L, 10_000L);
        }
    }

    @Test
    void distance_severalProcessors_isThatOfACacheLine() throws InterruptedException {
        assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
        ProcessorDistance distance = ProcessorDistance.open();
        OptionalDouble shortest = Stream.generate(distance::nanos)
                .limit(200)
                .flatMapToDouble(OptionalDouble::stream)
                .limit(20)
                .min();
        distance.close();
        distance.partner().join(10_000);

        assertThat(distance.partner().isAlive()).isFalse();
        assumeThat(shortest).as("tries in which both threads got a processor").isPresent();
        assertThat(shortest.getAsDouble()).isBetween(10.0, 10_000.0);
    }

    @Test
    void machine_text_namesJavaAndProcessors() {
        assertThat(Machine.text())
                .contains("Java " + System.getProperty("java.version"))
                .contains("on " + Runtime.getRuntime().availableProcessors() + " processors");
    }
}
