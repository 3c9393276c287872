// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import dev.spindle.verify.torture.Layout.Act;
import dev.spindle.verify.torture.Layout.Part;
import dev.spindle.verify.torture.Log.Outcome;
import java.util.Arrays;

/** Checks the coalescing slots of all lanes: the last task of a slot is not superseded. */
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
        boolean[] used = new boolean[slots];
        boolean[] kept = new boolean[slots];
        for (Part part : layout.parts()) {
            checkLast(part, used, kept);
        }
        for (int slot = 0; slot < slots; slot++) {
            if (used[slot] && !kept[slot]) {
                violations.add(
                        Promise.L2,
                        "the last coalescing task of each submitter of lane " + slot / 2
                                + " was superseded, so the last of all was, too");
            }
        }
        if (log.isExact()) {
            checkClock(slots);
        }
    }

    /**
     * Checks the last task of each producer. If all these tasks are superseded, and no task submitted another, the last
     * task of the slot is superseded too, which is a violation.
     */
    private void checkLast(Part part, boolean[] used, boolean[] kept) {
        int[] last = new int[used.length];
        Arrays.fill(last, NONE);
        forEachAccepted(part, (slot, act, task) -> {
            used[slot] = true;
            if (act.depth() == 0) {
                last[slot] = Math.max(last[slot], task);
            } else if (log.outcome[task] != Outcome.SUPERSEDED) {
                kept[slot] = true;
            }
        });
        for (int slot = 0; slot < last.length; slot++) {
            if (last[slot] != NONE && log.outcome[last[slot]] != Outcome.SUPERSEDED) {
                kept[slot] = true;
            }
        }
    }

    /** Checks that each superseded task was submitted before another task of its slot was accepted. */
    private void checkClock(int slots) {
        int[] last = new int[slots]; // the latest acceptance of each slot
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
        layout.parts().forEach(part -> forEachAccepted(part, visitor));
    }

    private void forEachAccepted(Part part, Visitor visitor) {
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
