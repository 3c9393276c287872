// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Logs submitted tasks whose value is a stage, since their lane goes on before the stage completes. */
final class StageResults {
    private static final ClassValue<AtomicBoolean> LOGGED = new ClassValue<>() {
        @Override
        protected AtomicBoolean computeValue(Class<?> type) {
            return new AtomicBoolean();
        }
    };

    private StageResults() {}

    /** Logs that {@code task} returned a stage, once for each class of task. Never throws. */
    static void found(@Nullable Object task, @Nullable LaneHandle lane) {
        if (task == null || LOGGED.get(task.getClass()).getAndSet(true)) {
            return;
        }
        FailureReport.warn("task " + task.getClass().getName()
                + (lane == null ? "" : " of " + lane)
                + " returned a CompletionStage, which submit does not wait for: the task has ended before the stage"
                + " completes. A lane waits for the stage if the task is handed to submitAsync.");
    }
}
