// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import java.util.ArrayList;
import java.util.List;

/**
 * The tasks of a program by number. Each task that a round of a producer may submit has a number of its own before the
 * program runs, so that the log is arrays and the checker computes a task's step.
 */
final class Layout {
    private final List<Part> parts = new ArrayList<>();
    private final int tasks;

    /**
     * A step and its place among the tasks of a round.
     *
     * @param offset the number of its task, if it has one, minus that of the round's first task
     * @param depth the depth of nesting; 0 for a step of the producer itself
     */
    record Act(Step step, int offset, int depth, List<Act> inner) {}

    /**
     * A producer's share.
     *
     * @param first the number of its first task
     * @param perRound the number of tasks of a round
     * @param tasks all acts of a round that are tasks, inner ones included, in the order of their offsets
     */
    record Part(int first, int rounds, int perRound, List<Act> acts, List<Act> tasks) {
        int start(int round) {
            return first + round * perRound;
        }
    }

    Layout(Program program) {
        int first = 0;
        for (Program.Producer producer : program.producers()) {
            List<Act> tasks = new ArrayList<>();
            List<Act> acts = acts(producer.steps(), 0, tasks);
            long end = (long) first + (long) producer.rounds() * tasks.size();
            if (end > 1 << 27) {
                throw new IllegalArgumentException("a program has at most " + (1 << 27) + " tasks, this one " + end
                        + " and more: lower its rounds");
            }
            parts.add(new Part(first, producer.rounds(), tasks.size(), acts, List.copyOf(tasks)));
            first = (int) end;
        }
        tasks = first;
    }

    private static List<Act> acts(List<Step> steps, int depth, List<Act> tasks) {
        List<Act> acts = new ArrayList<>();
        for (Step step : steps) {
            int offset = tasks.size();
            List<Act> inner = new ArrayList<>();
            Act act = new Act(step, offset, depth, inner);
            if (step.op().isTask()) {
                tasks.add(act);
            }
            // the thread that pauses takes the steps within the pause
            inner.addAll(acts(step.inner(), step.op().isTask() ? depth + 1 : depth, tasks));
            acts.add(act);
        }
        return acts;
    }

    /** Returns the number of tasks. */
    int tasks() {
        return tasks;
    }

    List<Part> parts() {
        return parts;
    }

    /** Returns the act of a task, by its number. */
    Act act(int task) {
        Part part = parts.get(part(task));
        return part.tasks().get((task - part.first()) % part.perRound());
    }

    /** Returns the producer's share that a task belongs to. */
    int part(int task) {
        for (int part = 0; part < parts.size(); part++) {
            if (task < parts.get(part).start(parts.get(part).rounds())) {
                return part;
            }
        }
        throw new IllegalArgumentException("there are " + tasks + " tasks, and no number " + task);
    }
}
