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
 * @param hasty whether a look may raise the limit although the awake workers can continue, or lower it
 * @param leaves whether a worker may leave the only entry of another worker's run queue to that worker
 * @param solo whether the pool may find that one worker gets as much done as all
 * @param batches whether the entries of the injection queue are one batch, which a worker that takes one of them holds
 * @param late the threads that may be late
 * @param search whether a worker without work searches for a while
 * @param producers the actions of each: to submit a task, or to set a timer that submits one
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
    /** Whether a worker without work searches; a worker that was woken always does. */
    enum Search {
        NEVER,
        SOMETIMES,
        SPINS
    }

    /** The threads that may be late. */
    enum Late {
        NONE,
        /** New threads: the factory is slow. */
        FACTORY,
        /** Threads beyond the core, each time that they are woken: they are virtual, and carriers are busy. */
        CARRIER
    }

    /** Returns a pool without producers. */
    static Setting pool(int core, int max, Task... tasks) {
        return new Setting(
                core, max, false, 0, false, false, false, false, Late.NONE, Search.NEVER, List.of(tasks), List.of());
    }

    /** Adds a producer with its actions, which it takes in this order. */
    Setting producer(Integer... actions) {
        List<List<Integer>> more = new ArrayList<>(producers);
        more.add(List.of(actions));
        return new Setting(core, max, stops, expiries, hasty, leaves, solo, batches, late, search, tasks, more);
    }

    /** Returns the action to set a timer that submits a task. The timer of the lower task is due first. */
    static int timer(int task) {
        return -1 - task;
    }

    /** Has the first producer shut the pool down; only that producer may set timers then. */
    Setting stopping() {
        return new Setting(core, max, true, expiries, hasty, leaves, solo, batches, late, search, tasks, producers);
    }

    /** Has workers without work search. */
    Setting searching(Search how) {
        return new Setting(core, max, stops, expiries, hasty, leaves, solo, batches, late, how, tasks, producers);
    }

    /** Lets a look change the limit at any time while work is ready. */
    Setting hastily() {
        return new Setting(core, max, stops, expiries, true, leaves, solo, batches, late, search, tasks, producers);
    }

    /** Lets a worker leave the only entry of another worker's run queue to that worker. */
    Setting leaving() {
        return new Setting(core, max, stops, expiries, hasty, true, solo, batches, late, search, tasks, producers);
    }

    /** Lets the pool find that one worker gets as much done as all, and run that one alone. */
    Setting soloing() {
        return new Setting(core, max, stops, expiries, hasty, leaves, true, batches, late, search, tasks, producers);
    }

    /** Makes the entries of the injection queue one batch. */
    Setting batching() {
        return new Setting(core, max, stops, expiries, hasty, leaves, solo, true, late, search, tasks, producers);
    }

    /** Lets threads be late. */
    Setting late(Late which) {
        return new Setting(core, max, stops, expiries, hasty, leaves, solo, batches, which, search, tasks, producers);
    }

    /** Lets workers end because their keep-alive has passed, {@code times} times. */
    Setting expiring(int times) {
        return new Setting(core, max, stops, times, hasty, leaves, solo, batches, late, search, tasks, producers);
    }

    /** Returns the largest number of threads: workers that end give up their places before they have ended. */
    int threads() {
        return producers.size() + max + expiries + (stops ? 3 : 0);
    }

    /** Returns the set of all tasks, as bits. */
    int all() {
        return (1 << tasks.size()) - 1;
    }

    /** Returns the set of tasks that timers submit. */
    int timed() {
        return producers.stream()
                .flatMap(List::stream)
                .filter(action -> action < 0)
                .mapToInt(action -> 1 << (-1 - action))
                .sum();
    }

    /** Returns the set of tasks that are interchangeable; none with batches. */
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

    /** Returns true if the limit can change, and the watch can be armed. */
    boolean grows() {
        return core < max;
    }

    /** Returns true if a run queue can have entries. */
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
