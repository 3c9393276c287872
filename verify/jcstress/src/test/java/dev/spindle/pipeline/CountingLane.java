// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.LaneStub;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A lane without threads: it counts how often the task of its strand was submitted, and the actors run it. */
final class CountingLane extends LaneStub {
    private final AtomicInteger handedIn = new AtomicInteger();
    private final AtomicBoolean running = new AtomicBoolean();
    private @Nullable Runnable task; // the same each time

    /** Runs submitted tasks, unless another thread does: the lane's turns do not overlap. */
    void run() {
        while (handedIn.get() > 0 && running.compareAndSet(false, true)) {
            for (int now = handedIn.get(); now > 0; now = handedIn.get()) {
                handedIn.getAndDecrement();
                Objects.requireNonNull(task).run();
            }
            running.set(false);
        }
    }

    @Override
    public void execute(Runnable given) {
        if (task == null) {
            task = given;
        }
        handedIn.getAndIncrement();
    }
}
