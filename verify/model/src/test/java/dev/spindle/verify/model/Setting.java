// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A pool and its users.
 *
 * @param stops whether the first producer shuts the pool down when it has submitted its tasks
 * @param spins whether one worker goes on searching while there is no work
 * @param producers what each does: to submit a task, or to set a timer that will
 */
record Setting(int core, int max, boolean stops, boolean spins, List<Task> tasks, List<List<Integer>> producers) {
    /** A pool without users. */
    static Setting pool(int core, int max, Task... tasks) {
        return new Setting(core, max, false, false, List.of(tasks), List.of());
    }

    /** Adds a producer with what it does, one after the other. */
    Setting producer(Integer... actions) {
        List<List<Integer>> more = new ArrayList<>(producers);
        more.add(List.of(actions));
        return new Setting(core, max, stops, spins, tasks, more);
    }

    /** Sets a timer that submits a task. Of two timers that of the lower task is due first. */
    static int timer(int task) {
        return -1 - task;
    }

    /** The first producer shuts the pool down; only it may set timers then. */
    Setting stopping() {
        return new Setting(core, max, true, spins, tasks, producers);
    }

    Setting spinning() {
        return new Setting(core, max, stops, true, tasks, producers);
    }

    /** How many threads there may be: workers that end give their places away before they have ended. */
    int threads() {
        return producers.size() + max + 2;
    }

    /** The set of all tasks, as bits. */
    int all() {
        return (1 << tasks.size()) - 1;
    }

    /** The set of tasks that timers submit. */
    int timed() {
        return producers.stream()
                .flatMap(List::stream)
                .filter(action -> action < 0)
                .mapToInt(action -> 1 << (-1 - action))
                .sum();
    }

    /** The set of tasks that are as good as each other. */
    int alike() {
        int set = all() & ~timed();
        for (int task = 0; task < tasks.size(); task++) {
            Task one = tasks.get(task);
            set &= one.kind() == Task.Kind.PLAIN ? ~0 : ~(1 << task);
            set &= one.other() < 0 ? ~0 : ~(1 << one.other());
        }
        return set;
    }

    boolean has(Task.Kind kind) {
        return tasks.stream().anyMatch(task -> task.kind() == kind);
    }

    /** Whether anybody sees which tasks are done, before the end. */
    boolean waits() {
        return has(Task.Kind.BLOCKS) || has(Task.Kind.STALLS);
    }

    /** Whether the limit can change, and the watch be armed. */
    boolean grows() {
        return core < max;
    }

    /** Whether anything can be in a run queue. */
    boolean usesRings() {
        return has(Task.Kind.NESTS) || has(Task.Kind.TURNS) || timed() != 0;
    }

    @Override
    public String toString() {
        return core + " to " + max + " workers, " + tasks + " by " + producers + (stops ? ", stops" : "")
                + (spins ? ", spins" : "");
    }
}
