// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.torture;

import dev.spindle.benchmarks.torture.Layout.Act;
import dev.spindle.benchmarks.torture.Layout.Part;
import dev.spindle.benchmarks.torture.Log.Outcome;
import java.util.Arrays;

/** The coalescing slots of all lanes: whatever was superseded has a newer one, so never all of a slot were. */
final class Slots {
    private static final int NONE = -1;

    private final Program program;
    private final Layout layout;
    private final Log log;
    private final Violations violations;

    Slots(Program program, Layout layout, Log log, Violations violations) {
        this.program = program;
        this.layout = layout;
        this.log = log;
        this.violations = violations;
    }

    void check() {
        int slots = 2 * program.pool().lanes();
        int[] superseded = new int[slots]; // one of the slot, or NONE
        Arrays.fill(superseded, NONE);
        boolean[] kept = new boolean[slots];
        forEachAccepted((slot, act, task) -> {
            if (log.outcome[task] == Outcome.SUPERSEDED) {
                superseded[slot] = task;
            } else {
                kept[slot] = true;
            }
        });
        for (int slot = 0; slot < slots; slot++) {
            if (superseded[slot] != NONE && !kept[slot]) {
                violations.add(
                        Promise.L2,
                        "every coalescing task of lane " + slot / 2 + " was superseded, task " + superseded[slot]
                                + " for one; so the last one was, too");
            }
        }
        if (log.isExact()) {
            checkClock(slots);
        }
    }

    /** The newer one was not accepted before the superseded one was handed in. */
    private void checkClock(int slots) {
        int[] last = new int[slots]; // the latest answer, and the one before it
        int[] lastButOne = new int[slots];
        forEachAccepted((slot, act, task) -> {
            int answered = log.answered[task];
            if (answered > last[slot]) {
                lastButOne[slot] = last[slot];
                last[slot] = answered;
            } else if (answered > lastButOne[slot]) {
                lastButOne[slot] = answered;
            }
        });
        forEachAccepted((slot, act, task) -> {
            int latestOther = log.answered[task] == last[slot] ? lastButOne[slot] : last[slot];
            if (log.outcome[task] == Outcome.SUPERSEDED && latestOther < log.called[task]) {
                violations.add(
                        Promise.L2, Checker.name(act.step(), task) + " was the last of its slot, and was superseded");
            }
        });
    }

    private interface Visitor {
        void visit(int slot, Act act, int task);
    }

    private void forEachAccepted(Visitor visitor) {
        for (Part part : layout.parts()) {
            for (Act act : part.tasks()) {
                Step step = act.step();
                for (int round = 0; step.op().isCoalescing() && round < part.rounds(); round++) {
                    int task = part.start(round) + act.offset();
                    if (log.answer[task] == Log.ACCEPTED) {
                        visitor.visit(2 * step.at() + (step.op() == Op.COALESCE ? 0 : 1), act, task);
                    }
                }
            }
        }
    }
}
