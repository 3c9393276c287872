// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts the programs and the tasks by their ends. This class is not thread-safe. */
final class Tally {
    private final Map<String, Long> fates = new TreeMap<>();
    private long programs;
    private long tasks;

    void add(Log log) {
        programs++;
        for (int task = 0; task < log.answer.length; task++) {
            String fate = fate(log, task);
            if (fate != null) {
                fates.merge(fate, 1L, Long::sum);
                tasks++;
            }
        }
    }

    private static @Nullable String fate(Log log, int task) {
        if (log.answer[task] != Log.ACCEPTED) {
            return log.answer[task] == Log.REFUSED ? "refused" : null;
        }
        if (log.runs[task] > 0) {
            return "ran";
        }
        if (log.returned[task] > 0) {
            return "returned";
        }
        return log.outcome[task] == Log.Outcome.SUPERSEDED
                ? "superseded"
                : log.wasTold(task, Log.CANCELLED) ? "cancelled" : "dropped";
    }

    long programs() {
        return programs;
    }

    /** Returns the number of submitted tasks, including refused ones. */
    long tasks() {
        return tasks;
    }

    Map<String, Long> fates() {
        return fates;
    }
}
