// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one contender did with the events.
 *
 * @param name of the contender
 * @param events how many it was given
 * @param wallNanos from the first event given to the last task ended
 * @param cpuNanos of its threads, the feeding one included
 * @param peakThreads the most threads that ran tasks at once
 * @param switches context switches of its threads, or null where the system does not tell
 * @param violations moves of aircraft out of order or overlapping
 * @param boardsDrawn drawings made
 * @param boardsAsked drawings asked for
 * @param failures tasks that threw
 * @param firstFailure what the first of them threw
 * @param states the final states of all aircraft
 * @param boards the last text of each board
 * @param counts all counts by name
 */
record RunResult(
        String name,
        long events,
        long wallNanos,
        long cpuNanos,
        int peakThreads,
        @Nullable ContextSwitches switches,
        long violations,
        long boardsDrawn,
        long boardsAsked,
        long failures,
        @Nullable Throwable firstFailure,
        List<AircraftState> states,
        Map<String, String> boards,
        Map<String, Long> counts) {

    double eventsPerSecond() {
        return events * 1e9 / Math.max(1, wallNanos);
    }
}
