// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.Headroom;
import java.io.BufferedReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The check of the stack before a step: after a successful check, compiled or not, the step must not overflow. */
@Timeout(60)
class HeadroomTest {
    @ParameterizedTest
    @ValueSource(strings = {"-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"})
    void s1_compiled_asksForWhatItAsksForInterpreted(String compiler) throws Exception {
        Process process = ForkedJvm.of(
                        Dives.class,
                        compiler,
                        "-Xbatch",
                        "-XX:CompileCommand=compileonly," + Headroom.class.getName() + "*::*")
                .start();
        int interpreted;
        int compiled;
        try (BufferedReader said = process.inputReader()) {
            interpreted = levels(said);
            compiled = levels(said);
        } finally {
            process.destroyForcibly();
        }
        assertThat(interpreted).isBetween(30, 300);
        assertThat(compiled).isBetween(interpreted * 8 / 10, interpreted * 12 / 10);
    }

    /** F5: a class whose initialization exhausts the stack stays unusable. */
    @Test
    void f5_firstCoalescingTaskOfAProcess_nearTheEndOfTheStack_breaksNoLaterOne() throws Exception {
        Process process = ForkedJvm.of(FirstCoalesce.class).start();
        try (BufferedReader said = process.inputReader()) {
            assertThat(said.lines()).contains("coalesced");
        } finally {
            process.destroyForcibly();
        }
    }

    private static int levels(BufferedReader said) throws Exception {
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith("levels ")) {
                return Integer.parseInt(line.substring("levels ".length()));
            }
        }
        throw new AssertionError("no line");
    }

    /**
     * A program that prints how many levels above the end of the stack the check succeeds, interpreted and compiled.
     */
    static final class Dives {
        private static int failed;
        private static boolean enough;

        private Dives() {}

        public static void main(String[] arguments) throws InterruptedException {
            Headroom.require(); // loads the class, which takes more stack
            sayLevels();
            for (int i = 0; i < 200_000; i++) {
                Headroom.require();
            }
            sayLevels();
        }

        private static void sayLevels() throws InterruptedException {
            failed = 0;
            enough = false;
            Thread diver = new Thread(null, Dives::dive, "diver", 512 << 10);
            diver.start();
            diver.join();
            System.out.println("levels " + failed);
        }

        @SuppressWarnings("InfiniteRecursion") // intended
        private static void dive() {
            try {
                dive();
            } catch (StackOverflowError e) {
                failed = 0; // the end of the stack
            }
            if (!enough) {
                try {
                    Headroom.require();
                    enough = true;
                } catch (StackOverflowError e) {
                    failed++;
                }
            }
        }
    }

    /** A program whose first coalescing submits are made ever further above the end of the stack. */
    static final class FirstCoalesce implements Runnable {
        private final Spindle spindle = Spindle.create();
        private boolean submitted;
        private int failed;

        private FirstCoalesce() {}

        public static void main(String[] arguments) throws Exception {
            FirstCoalesce first = new FirstCoalesce();
            try (Spindle spindle = first.spindle) {
                spindle.keyed("keys").submit("key", new Nothing()).get(); // loads the other classes
                Thread diver = new Thread(null, first, "diver", 512 << 10);
                diver.start();
                diver.join();
                if (!first.submitted || first.failed == 0) {
                    throw new AssertionError("failed " + first.failed);
                }
                spindle.keyed("keys").coalesce("other", new Nothing()).get();
                spindle.keyed("keys")
                        .at("other")
                        .coalesceSlot("slot", new Nothing())
                        .get();
                System.out.println("coalesced");
            }
        }

        @Override
        @SuppressWarnings({"InfiniteRecursion", "FutureReturnValueIgnored"}) // intended
        public void run() {
            try {
                run();
            } catch (StackOverflowError e) {
                failed++;
            }
            if (!submitted) {
                try {
                    spindle.keyed("keys").coalesce("key", new Nothing());
                    submitted = true;
                } catch (StackOverflowError e) {
                    failed++;
                }
            }
        }
    }

    private static final class Nothing implements Runnable {
        @Override
        public void run() {}
    }
}
