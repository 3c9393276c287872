// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import dev.spindle.demo.flights.AircraftState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one contender.
 *
 * @param name the name of the contender
 * @param promisesOrder true if events out of order are a failure
 * @param figures the final figures
 * @param virtualThreads the peak number of live virtual threads
 * @param failures the number of tasks that threw
 * @param firstFailure the first throwable that a task threw, or null
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

    /** Returns true if every event was handled and no task failed, so that the run can be compared with others. */
    boolean complete() {
        return failures == 0 && figures.handled() == figures.events();
    }

    boolean inOrder() {
        return figures.outOfOrder() == 0;
    }
}
