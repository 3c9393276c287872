// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one contender did with the events.
 *
 * @param name of the contender
 * @param promisesOrder whether events out of order are a failure
 * @param figures in the end
 * @param virtualThreads the most virtual threads that lived at once
 * @param failures tasks that threw
 * @param firstFailure what the first of them threw
 * @param states the final states of all aircraft
 */
record RunResult(
        String name,
        boolean promisesOrder,
        Figures figures,
        int virtualThreads,
        long failures,
        @Nullable Throwable firstFailure,
        List<AircraftState> states) {

    /** Whether it handled every event, in whatever order, so that it can be compared. */
    boolean complete() {
        return failures == 0 && figures.handled() == figures.events();
    }

    boolean inOrder() {
        return figures.outOfOrder() == 0;
    }
}
