// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Long pauses of a process: the system stops a separate JVM for seconds while it works and waits.
 */
@Tag("stress")
@Timeout(60)
@EnabledOnOs({OS.LINUX, OS.MAC})
class StoppedProcessTest {
    @Test
    void stoppedForSeconds_losesNothingAndCatchesUpAsDocumented() throws Exception {
        Process process = ForkedJvm.of(Worked.class).start();
        try (BufferedReader said = process.inputReader()) {
            assertThat(said.readLine()).isEqualTo("begun");
            signal(process, "STOP");
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
            signal(process, "CONT");

            assertThat(said.readLine()).isEqualTo("exact");
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).isZero();
    }

    /** Two of three tasks block, and the process runs for 4 of every 100 ms, as under a quota. */
    @Test
    void t3_processThatGetsASmallShare_workersAreAddedForThoseThatBlock() throws Exception {
        Process process = ForkedJvm.of(Blocked.class).start();
        Process share = new ProcessBuilder(
                        "bash",
                        "-c",
                        "while kill -STOP $0; do read -t 0.094; kill -CONT $0; read -t 0.004; done",
                        Long.toString(process.pid()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader said = process.inputReader()) {
            assertThat(said.readLine()).isEqualTo("5 started");
        } finally {
            process.destroyForcibly().waitFor();
            share.destroyForcibly().waitFor();
        }
    }

    private static void signal(Process process, String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).isZero();
    }

    /** The program of the other JVM: two tasks wait for a third one, which needs a thread beyond the core. */
    static final class Blocked {
        private Blocked() {}

        public static void main(String[] arguments) throws InterruptedException {
            int inTime = 0;
            for (int round = 0; round < 5; round++) {
                CountDownLatch entered = new CountDownLatch(2);
                CountDownLatch started = new CountDownLatch(1);
                try (Spindle spindle =
                        Spindle.builder().coreThreads(2).maxThreads(4).build()) {
                    for (int i = 0; i < 2; i++) {
                        spindle.execute(() -> {
                            entered.countDown();
                            TestSupport.await(started);
                        });
                    }
                    entered.await();
                    spindle.execute(started::countDown);
                    inTime += started.await(4, TimeUnit.SECONDS) ? 1 : 0;
                    started.countDown();
                }
            }
            System.out.println(inTime + " started");
        }
    }

    /**
     * The program of the other JVM: a flood of keyed tasks, and periodic tasks of both kinds, until it has been stopped
     * and has caught up.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
    static final class Worked {
        private static final long STOPPED_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);
        private static final long AFTERWARDS_NANOS = TimeUnit.SECONDS.toNanos(1);
        private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(30);

        private Worked() {}

        public static void main(String[] arguments) throws Exception {
            AtomicInteger disorder = new AtomicInteger();
            AtomicInteger rate = new AtomicInteger();
            AtomicInteger delay = new AtomicInteger();
            CountDownLatch late = new CountDownLatch(100);
            int[] last = new int[16];
            long begin = System.nanoTime();
            try (Spindle spindle = Spindle.builder()
                    .coreThreads(2)
                    .maxThreads(4)
                    .capacity(1_000, OnFull.block(Duration.ofSeconds(20)))
                    .build()) {
                Keyed<Integer> keys = spindle.keyed("keys");
                spindle.scheduleAtFixedRate(rate::incrementAndGet, 10, 10, TimeUnit.MILLISECONDS);
                spindle.scheduleWithFixedDelay(delay::incrementAndGet, 10, 10, TimeUnit.MILLISECONDS);
                for (int i = 0; i < 100; i++) {
                    keys.at(i).schedule(late::countDown, i * 20L, TimeUnit.MILLISECONDS);
                }
                System.out.println("begun");
                long before = 0;
                long resumed = Long.MAX_VALUE;
                for (int i = 0; ; i++) {
                    long now = System.nanoTime() - begin;
                    resumed = now - before > STOPPED_NANOS ? now : resumed;
                    before = now;
                    boolean madeUp = now - resumed > AFTERWARDS_NANOS && rate.get() > most(now) * 3 / 4;
                    if (madeUp || now > MOST_NANOS) {
                        break;
                    }
                    int key = i % last.length;
                    int number = i / last.length + 1;
                    keys.execute(key, () -> {
                        if (last[key] + 1 != number) {
                            disorder.incrementAndGet();
                        }
                        last[key] = number;
                    });
                }
                if (!late.await(10, TimeUnit.SECONDS)) {
                    System.out.println("delayed tasks are missing: " + late);
                }
            }
            int most = most(System.nanoTime() - begin);
            // A fixed rate makes up for missed runs. A fixed delay does not, and runs only while the process runs.
            boolean rateIsKept = rate.get() <= most && rate.get() > most / 2;
            boolean delayIsKept = delay.get() <= most - 150;
            System.out.println(
                    disorder.get() == 0 && rateIsKept && delayIsKept
                            ? "exact"
                            : disorder + " out of order; fixed rate " + rate + ", fixed delay " + delay + " of "
                                    + most);
        }

        /** Returns the number of periods in a time. */
        private static int most(long nanos) {
            return (int) (TimeUnit.NANOSECONDS.toMillis(nanos) / 10) + 1;
        }
    }
}
