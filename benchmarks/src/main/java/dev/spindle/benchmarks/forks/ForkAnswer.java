// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;

/** What a forked JVM tells the one that started it: one line among whatever else a peer prints. */
public final class ForkAnswer {
    private static final String RESULT = "@measured ";
    private static final String STALLED = "@stalled ";

    private ForkAnswer() {}

    /**
     * Gives the answer and ends this JVM: a stalled contender's threads, or a peer's own, must not keep it alive.
     *
     * @param measuring returns a line that says what was found; throws StalledException if what is measured does not
     *     get on
     */
    public static void giveAndHalt(Callable<String> measuring) {
        int status = 0;
        try {
            System.out.println(RESULT + measuring.call());
        } catch (StalledException e) {
            System.out.println(STALLED + e.getMessage());
        } catch (Throwable broken) {
            broken.printStackTrace();
            status = 1;
        }
        System.out.flush();
        Runtime.getRuntime().halt(status);
    }

    /**
     * Reads the answer of a fork.
     *
     * @param measured gets the line that says what was found
     * @param failed gets the reason where there is none
     */
    public static <R> R read(ForkedJvm.Output output, Function<String, R> measured, Function<String, R> failed) {
        Optional<String> result = output.line(RESULT);
        if (result.isPresent()) {
            return measured.apply(result.get());
        }
        Optional<String> stalled = output.line(STALLED);
        return failed.apply(stalled.isPresent() ? "stalled: " + stalled.get() : output.problem());
    }
}
