// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Takes a step with less and less stack: from where it overflows at once to where it does not, a little at a time. */
final class Diver {
    private final Runnable step;
    private int overflows;
    private int left;

    Diver(Runnable step) {
        this.step = step;
    }

    /** Returns how often the step has overflowed. */
    int overflows() {
        return overflows;
    }

    /** Dives in a thread of its own, whose stack is small. */
    void dive(int rounds) throws Exception {
        step.run(); // so that classes are there
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

    /** {@code pad} varies by how much the levels differ. */
    private int down(int level, long pad) {
        int more = 0;
        try {
            more = pad % 2 == 0 ? down(level + 1, pad) : downWider(level + 1, pad, pad, pad, pad);
        } catch (StackOverflowError e) {
            // the end, or the step of a level below
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
