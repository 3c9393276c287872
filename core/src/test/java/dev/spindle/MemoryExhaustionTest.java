// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** F5: submits that run out of memory, in a separate JVM. */
@Tag("stress")
@Timeout(300)
class MemoryExhaustionTest {
    @Test
    void f5_realOutOfMemoryInSubmits_loseNoAcceptedTaskAndWorkGoesOn(@TempDir Path folder) throws Exception {
        Path output = folder.resolve("output");
        Process process = ForkedJvm.of(Exhaustion.class, "-Xmx24m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(240, TimeUnit.SECONDS);
        process.destroyForcibly();
        String said = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(ended).as("ended by itself; it said: " + said).isTrue();
        assertThat(said).contains("exact");
        assertThat(process.exitValue()).isZero();
    }

    /**
     * The program of the other JVM: fills the heap, submits until all submits fail, frees memory, and counts outcomes.
     */
    static final class Exhaustion {
        private static final int ROUNDS = 6;
        private static final int KEYS = 40;
        private static final int MOST_REFUSED = 60; // each costs several full collections
        private static final int PLACES = 225; // of a key in the later rounds; more than are used

        private static final List<Object> BALLAST = new ArrayList<>(200_000);
        private static final @Nullable Object[] CRUMBS = new @Nullable Object[8 * MOST_REFUSED];

        private Exhaustion() {}

        /** A task that is allocated before the submit. */
        private static final class Prepared implements Runnable {
            private final int[] last;
            private final int number;
            private int runs; // plain: written by its lane or by one worker
            private boolean accepted;

            Prepared(int[] last, int number) {
                this.last = last;
                this.number = number;
            }

            @Override
            public void run() {
                runs++;
                if (last[0] >= number) {
                    DISORDER.incrementAndGet();
                }
                last[0] = Math.max(last[0], number);
                RAN.incrementAndGet();
            }
        }

        private static final AtomicInteger DISORDER = new AtomicInteger();
        private static final AtomicInteger RAN = new AtomicInteger();

        public static void main(String[] arguments) {
            try {
                int refused = 0;
                for (int round = 0; round < ROUNDS; round++) {
                    refused += round(round);
                }
                if (refused == 0) {
                    throw new AssertionError("memory never ran out");
                }
                System.out.println("exact; submits that found no memory: " + refused);
            } catch (Throwable t) {
                BALLAST.clear();
                t.printStackTrace(System.out);
                System.out.flush();
                Runtime.getRuntime().halt(1); // unlike exit(), does not wait for workers that hang
            }
        }

        private static int round(int round) throws InterruptedException {
            SpindleBuilder builder = Spindle.builder().core(2).max(4);
            boolean bounded = round >= ROUNDS / 2;
            if (bounded) {
                builder.capacity(KEYS * PLACES).capacityPerKey(PLACES);
            }
            Spindle spindle = builder.build();
            if (round % 2 == 0) {
                spindle.submit(() -> {}).join(); // warm
            }
            int[][] last = new int[KEYS][1];
            Integer[] keys = new Integer[KEYS];
            Prepared[] tasks = new Prepared[8_000];
            for (int key = 0; key < KEYS; key++) {
                keys[key] = key;
                last[key][0] = -1;
            }
            for (int i = 0; i < tasks.length; i++) {
                tasks[i] = new Prepared(i % 4 == 3 ? new int[] {-1} : last[i % KEYS], i);
            }
            Keyed<Integer> keyed = spindle.keyed();
            for (int key = 0; key < KEYS; key += 2) {
                keyed.pause(key); // so that waiting tasks use up the memory
            }
            LogicalExecutor executor = spindle.executor("e").maxConcurrency(2).build();
            int begun = RAN.get();
            fill();
            int refused = 0;
            int accepted = 0;
            for (int i = 0; i < tasks.length && refused < MOST_REFUSED; i++) {
                Prepared task = tasks[i];
                try {
                    if (i % 8 == 7) {
                        executor.execute(task);
                    } else if (i % 4 == 3) {
                        spindle.execute(task);
                    } else {
                        keyed.execute(keys[i % KEYS], task);
                    }
                    task.accepted = true;
                    accepted++;
                } catch (OutOfMemoryError | RejectedExecutionException e) {
                    refused++;
                    for (int crumb = 0; crumb < refused % 8; crumb++) {
                        CRUMBS[8 * refused - 1 - crumb] = null; // frees a little memory for the next attempt
                    }
                }
            }
            BALLAST.clear();
            if (bounded) {
                int all = accepted;
                for (int key = 0; key < KEYS; key += 2) {
                    keyed.resume(key);
                }
                TestSupport.until(() -> RAN.get() - begun == all);
                takeAllPlaces(keyed, keys);
            }
            spindle.shutdown();
            if (!spindle.awaitTermination(60, TimeUnit.SECONDS)) {
                throw new AssertionError("round " + round + " does not terminate: " + spindle.stats() + " "
                        + executor.stats() + " " + executor + " " + keyed.busiest(KEYS) + " "
                        + Thread.getAllStackTraces().keySet());
            }
            int lost = 0;
            int twice = 0;
            int unaccepted = 0;
            for (Prepared task : tasks) {
                lost += task.accepted && task.runs == 0 ? 1 : 0;
                twice += task.runs > 1 ? 1 : 0;
                unaccepted += !task.accepted && task.runs > 0 ? 1 : 0;
            }
            if (lost + twice + unaccepted + DISORDER.get() != 0) {
                throw new AssertionError("round " + round + ": lost " + lost + ", twice " + twice + ", thrown but run "
                        + unaccepted + ", out of order " + DISORDER);
            }
            return refused;
        }

        /** Throws if a place of a key or of the spindle was lost. */
        private static void takeAllPlaces(Keyed<Integer> keyed, Integer[] keys) {
            for (Integer key : keys) {
                keyed.pause(key);
            }
            for (Integer key : keys) {
                for (int i = 0; i < PLACES; i++) {
                    keyed.execute(key, () -> {});
                }
            }
        }

        /** Allocates all memory, in smaller and smaller pieces. */
        private static void fill() {
            for (int i = 0; i < CRUMBS.length; i++) {
                CRUMBS[i] = new long[1];
            }
            for (int size = 1 << 20; size >= 8; ) {
                try {
                    BALLAST.add(new long[size / 8]);
                } catch (OutOfMemoryError e) {
                    size /= 2;
                }
            }
        }
    }
}
