// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import java.util.ArrayList;
import java.util.List;

/**
 * Numbers the tasks of a program. Each task that a round may submit has a number before the program runs, so the log
 * can consist of arrays.
 */
final class Layout {
    private final List<Part> parts = new ArrayList<>();
    private final int tasks;

    /**
     * A step and its position in a round.
     *
     * @param offset the number of the step's task relative to the round's first task; unused if the step has no task
     * @param depth the depth of nesting; 0 for a step of the producer itself
     */
    record Act(Step step, int offset, int depth, List<Act> inner) {}

    /**
     * The tasks of a producer.
     *
     * @param first the number of its first task
     * @param perRound the number of tasks of a round
     * @param tasks all acts of a round that are tasks, including inner acts, in the order of their offsets
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
            // The thread that pauses a lane takes the inner steps.
            inner.addAll(acts(step.inner(), step.op().isTask() ? depth + 1 : depth, tasks));
            acts.add(act);
        }
        return acts;
    }

    int tasks() {
        return tasks;
    }

    List<Part> parts() {
        return parts;
    }

    /** Returns the act of the task with this number. */
    Act act(int task) {
        Part part = parts.get(part(task));
        return part.tasks().get((task - part.first()) % part.perRound());
    }

    /** Returns the index of the producer whose steps submit the task. */
    int part(int task) {
        for (int part = 0; part < parts.size(); part++) {
            if (task < parts.get(part).start(parts.get(part).rounds())) {
                return part;
            }
        }
        throw new IllegalArgumentException("there are " + tasks + " tasks, and no number " + task);
    }
}
