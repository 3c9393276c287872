// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** F5: submits that run out of memory, in a separate JVM. */
@Tag("stress")
@Timeout(120)
class MemoryExhaustionTest {
    @Test
    void f5_outOfMemoryInASubmit_reachesTheSubmitter(@TempDir Path folder) throws Exception {
        Path output = folder.resolve("output");
        Process process = ForkedJvm.of(Exhaustion.class, "-Xmx24m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(90, TimeUnit.SECONDS);
        process.destroyForcibly();
        String said = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(ended).as("ended by itself; it said: " + said).isTrue();
        assertThat(said).contains("plain: thrown", "keyed: thrown", "works");
    }

    /** The program of the other JVM: submits in a full heap, empties the heap, and uses a new spindle. */
    static final class Exhaustion {
        private static final List<Object> BALLAST = new ArrayList<>(200_000);

        private Exhaustion() {}

        public static void main(String[] arguments) throws InterruptedException {
            Runnable task = () -> {};
            Spindle spindle = Spindle.builder().coreThreads(1).maxThreads(1).build();
            Keyed<Integer> keyed = spindle.keyed("keys");
            spindle.submit(task).join();
            keyed.at(0).pause(); // the waiting tasks use up the memory
            System.out.println("keyed: " + submitUntilItThrows(() -> keyed.execute(0, task)));
            CountDownLatch begun = new CountDownLatch(1);
            spindle.execute(() -> {
                begun.countDown();
                LockSupport.park();
            });
            begun.await();
            System.out.println("plain: " + submitUntilItThrows(() -> spindle.execute(task)));
            Spindle later = Spindle.create();
            later.submit(task).join();
            System.out.println("works");
            System.out.flush();
            Runtime.getRuntime().halt(0); // unlike exit(), does not wait
        }

        /** Submits in a full heap until a submit throws, and empties the heap. */
        private static String submitUntilItThrows(Runnable submit) {
            fill();
            try {
                while (true) {
                    submit.run();
                }
            } catch (OutOfMemoryError e) {
                BALLAST.clear();
                return "thrown";
            }
        }

        /** Allocates all memory, in smaller and smaller pieces. */
        private static void fill() {
            for (int size = 1 << 20; size >= 64; ) {
                try {
                    BALLAST.add(new byte[size]);
                } catch (OutOfMemoryError e) {
                    size /= 2;
                }
            }
        }
    }
}
