// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Calls a step near the end of the stack, at many depths: from one where it overflows at once to one where it succeeds.
 * Compiled code needs on entry the stack of all that is inlined into it. So a dive into which the step was inlined
 * would itself overflow at the depths that matter, and never call the step there.
 */
public final class Diver {
    /** A step that is called at many depths. */
    public interface Step {
        void run() throws Exception;
    }

    private static final Step[] OTHERS = {() -> {}, () -> {}, () -> {}};

    private final Step step;
    private int overflows;
    private int left;

    public Diver(Step step) {
        this.step = step;
    }

    /** Returns how often the step has overflowed. */
    public int overflows() {
        return overflows;
    }

    /** Dives in a new thread with a small stack. */
    public void dive(int rounds) throws Exception {
        step.run(); // loads classes
        FutureTask<@Nullable Void> task = new FutureTask<>(() -> {
            diveHere(rounds);
            return null;
        });
        Thread thread = new Thread(null, task, "diver", 512 << 10);
        thread.start();
        task.get(100, TimeUnit.SECONDS);
    }

    /** Recurses to the end of the stack, and calls the step while it returns, at each of the last levels. */
    public void diveHere(int rounds) throws Exception {
        for (int i = 0; i < 30_000; i++) {
            call(OTHERS[i % OTHERS.length]); // many classes, none of which the compiler takes for the usual one
        }
        for (int round = 0; round < rounds; round++) {
            left = round;
            down(0, round % 7);
        }
    }

    /** {@code pad} varies the sizes of the frames. */
    private int down(int level, long pad) throws Exception {
        int more = 0;
        try {
            more = pad % 2 == 0 ? down(level + 1, pad) : downWider(level + 1, pad, pad, pad, pad);
        } catch (StackOverflowError e) {
            // thrown at the end of the stack, or by the step of a deeper level
        }
        tryStep();
        return more;
    }

    private int downWider(int level, long a, long b, long c, long d) throws Exception {
        long sum = a + b + c + d;
        int more = down(level, a);
        return more + (int) (sum & 1);
    }

    private static void call(Step step) throws Exception {
        step.run();
    }

    private void tryStep() throws Exception {
        if (left < 0) {
            return;
        }
        try {
            call(step);
            left = -1; // the step had enough stack
        } catch (StackOverflowError e) {
            overflows++;
        } catch (CompletionException e) {
            assertThat(e).hasCauseInstanceOf(StackOverflowError.class);
            overflows++;
        }
    }
}
