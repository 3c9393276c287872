// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A pool and its users.
 *
 * @param stops whether the first producer shuts the pool down when it has submitted its tasks
 * @param expiries how many workers may end because their keep-alive has passed
 * @param hasty whether a look may raise the limit though those there are could go on, or lower it
 * @param leaves whether a worker may leave the only entry of another's run queue to that one
 * @param solo whether it may be found that one worker does as much as all
 * @param batches whether all that is in the injection queue is one batch, which whoever takes a task from it then holds
 * @param late which threads may take long to come
 * @param search whether a worker that runs dry looks around for a while
 * @param producers what each does: to submit a task, or to set a timer that will
 */
record Setting(
        int core,
        int max,
        boolean stops,
        int expiries,
        boolean hasty,
        boolean leaves,
        boolean solo,
        boolean batches,
        Late late,
        Search search,
        List<Task> tasks,
        List<List<Integer>> producers) {
    /** Whether a worker that runs dry looks around; whoever was woken is searching all the same. */
    enum Search {
        NEVER,
        SOMETIMES,
        SPINS
    }

    /** Threads that may take long. */
    enum Late {
        NONE,
        /** Those that are made: the factory is slow. */
        FACTORY,
        /** Those beyond the core, each time that they are woken: they are virtual, and carriers are busy. */
        CARRIER
    }

    /** A pool without users. */
    static Setting pool(int core, int max, Task... tasks) {
        return new Setting(
                core, max, false, 0, false, false, false, false, Late.NONE, Search.NEVER, List.of(tasks), List.of());
    }

    /** Adds a producer with what it does, one after the other. */
    Setting producer(Integer... actions) {
        List<List<Integer>> more = new ArrayList<>(producers);
        more.add(List.of(actions));
        return new Setting(core, max, stops, expiries, hasty, leaves, solo, batches, late, search, tasks, more);
    }

    /** Sets a timer that submits a task. Of two timers that of the lower task is due first. */
    static int timer(int task) {
        return -1 - task;
    }

    /** The first producer shuts the pool down; only it may set timers then. */
    Setting stopping() {
        return new Setting(core, max, true, expiries, hasty, leaves, solo, batches, late, search, tasks, producers);
    }

    /** Workers that run dry look around. */
    Setting searching(Search how) {
        return new Setting(core, max, stops, expiries, hasty, leaves, solo, batches, late, how, tasks, producers);
    }

    /** A look may change the limit at any time while work is ready. */
    Setting hastily() {
        return new Setting(core, max, stops, expiries, true, leaves, solo, batches, late, search, tasks, producers);
    }

    /** A worker may find that another takes the only entry of its run queue by itself. */
    Setting leaving() {
        return new Setting(core, max, stops, expiries, hasty, true, solo, batches, late, search, tasks, producers);
    }

    /** One worker may do as much as all, and then does it alone. */
    Setting soloing() {
        return new Setting(core, max, stops, expiries, hasty, leaves, true, batches, late, search, tasks, producers);
    }

    /** What is in the injection queue is one batch. */
    Setting batching() {
        return new Setting(core, max, stops, expiries, hasty, leaves, solo, true, late, search, tasks, producers);
    }

    /** Threads may take long to come. */
    Setting late(Late which) {
        return new Setting(core, max, stops, expiries, hasty, leaves, solo, batches, which, search, tasks, producers);
    }

    /** Workers end because their keep-alive has passed, so many times. */
    Setting expiring(int times) {
        return new Setting(core, max, stops, times, hasty, leaves, solo, batches, late, search, tasks, producers);
    }

    /** How many threads there may be: workers that end give their places away before they have ended. */
    int threads() {
        return producers.size() + max + expiries + (stops ? 3 : 0);
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

    /** The set of tasks that are as good as each other; none with batches. */
    int alike() {
        int set = batches ? 0 : all() & ~timed();
        for (int task = 0; task < tasks.size(); task++) {
            Task one = tasks.get(task);
            set &= one.kind() == Task.Kind.PLAIN ? ~0 : ~(1 << task);
            set &= one.other() < 0 ? ~0 : ~(1 << one.other());
            set &= one.then() < 0 ? ~0 : ~(1 << one.then());
        }
        return set;
    }

    boolean has(Task.Kind kind) {
        return tasks.stream().anyMatch(task -> task.kind() == kind);
    }

    /** Whether the limit can change, and the watch be armed. */
    boolean grows() {
        return core < max;
    }

    /** Whether anything can be in a run queue. */
    boolean usesRings() {
        return has(Task.Kind.NESTS) || has(Task.Kind.TURNS) || timed() != 0 || batches;
    }

    @Override
    public String toString() {
        return core + " to " + max + " workers, " + tasks + " by " + producers + (stops ? ", stops" : "")
                + (hasty ? ", hasty" : "")
                + (leaves ? ", leaving" : "")
                + (solo ? ", soloing" : "")
                + (batches ? ", batching" : "")
                + (late == Late.NONE ? "" : ", late " + late)
                + (expiries > 0 ? ", expiring " + expiries : "")
                + (search == Search.NEVER ? "" : ", searching " + search);
    }
}
