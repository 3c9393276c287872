// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

import java.util.List;

/**
 * A pool and its users.
 *
 * @param timed which task a timer submits, or -1; the first producer sets the timer, before all else
 * @param stops whether the pool is shut down once all tasks have ended
 * @param producers which tasks each submits
 */
record Setting(int core, int max, int timed, boolean stops, List<Task> tasks, int[]... producers) {
    /** How many threads there may be: a worker that ends gives its place away before it has ended. */
    int threads() {
        return producers.length + max + 1;
    }

    /** The set of all tasks, as bits. */
    int all() {
        return (1 << tasks.size()) - 1;
    }

    /** Whether anything can be in a run queue. */
    boolean usesRings() {
        return tasks.stream().anyMatch(task -> task.kind() == Task.Kind.NESTS);
    }
}
