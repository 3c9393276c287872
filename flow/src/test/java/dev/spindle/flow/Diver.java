// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs a step at every depth of a small stack, from where it overflows at once to where it does not. */
final class Diver {
    private final Runnable step;
    private int overflows;
    private int left;

    Diver(Runnable step) {
        this.step = step;
    }

    /** Returns the number of overflows of the step. */
    int overflows() {
        return overflows;
    }

    /** Runs the dive on a thread with a small stack. */
    void dive(int rounds) throws Exception {
        step.run(); // loads the classes
        FutureTask<@Nullable Void> task = new FutureTask<>(
                () -> {
                    for (int round = 0; round < rounds; round++) {
                        left = round;
                        down(0, round % 7);
                    }
                },
                null);
        new Thread(null, task, "diver", 512 << 10).start();
        task.get(100, TimeUnit.SECONDS);
    }

    /** Calls itself until the stack overflows; {@code pad} varies the size of the frames. */
    private int down(int level, long pad) {
        int more = 0;
        try {
            more = pad % 2 == 0 ? down(level + 1, pad) : downWider(level + 1, pad, pad, pad, pad);
        } catch (StackOverflowError e) {
            // of the stack's end, or of the step at a deeper level
        }
        if (left >= 0) {
            try {
                step.run();
                left = -1; // enough stack
            } catch (StackOverflowError e) {
                overflows++;
            }
        }
        return more;
    }

    private int downWider(int level, long a, long b, long c, long d) {
        long sum = a + b + c + d;
        int more = down(level, a);
        return more + (int) (sum & 1);
    }
}
