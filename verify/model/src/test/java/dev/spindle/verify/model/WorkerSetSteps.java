// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

import java.util.EnumSet;
import java.util.Set;

/** All steps of one thread, the outcomes of each, and the steps that no other thread can notice. */
final class WorkerSetSteps extends WatcherSteps {
    WorkerSetSteps(WorkerSetModel model, byte[] state, int thread) {
        super(model, state, thread);
    }

    /**
     * Returns the places whose step reads and writes no variable that others change, in the given setting, and has one
     * outcome.
     */
    static Set<Pc> localSteps(Setting setting) {
        Set<Pc> local = EnumSet.of(
                Pc.P_STOP_LOOKED,
                Pc.FOUND_LOOKED,
                Pc.EXECUTE,
                Pc.DELAYED_DONE,
                Pc.BLOCKING_LOOKED,
                Pc.RETREAT_LOOKED,
                Pc.RETREATED,
                Pc.SEARCH_ON,
                Pc.BECOME_IDLE,
                Pc.IDLE_LOOKED,
                Pc.WATCH_LOOK,
                Pc.DISARMED,
                Pc.TRIED,
                Pc.LIMIT_SET,
                Pc.LOOK_DONE,
                Pc.TERMINATE_LOOKED,
                Pc.ENDED_LOOKED,
                Pc.DIE);
        if (!setting.grows() && !setting.has(Task.Kind.BLOCKS) && !setting.solo()) {
            local.add(Pc.CAME); // there is no surplus worker
        }
        local.add(Pc.RUN); // a later change of its state comes with an unpark
        if (!setting.solo()) {
            local.add(Pc.TRY_WORKERS);
        }
        if (!setting.grows() && !setting.solo()) {
            local.add(Pc.SIGNAL_LIMIT);
        }
        if (!setting.has(Task.Kind.BLOCKS)) {
            local.add(Pc.SIGNAL_BLOCKED);
        }
        if (!setting.grows() && !setting.has(Task.Kind.BLOCKS) && !setting.solo()) {
            local.add(Pc.SURPLUS); // there is none
        }
        if (setting.timed() == 0) {
            local.addAll(EnumSet.of(Pc.FIRE, Pc.WATCH_UNTIL));
        }
        if (!setting.usesRings()) {
            local.addAll(EnumSet.of(Pc.HAND_OVER, Pc.HANDED));
        }
        if (!setting.stops()) {
            local.addAll(EnumSet.of(Pc.P_SUBMITTED, Pc.P_RACED, Pc.P_NEXT));
        }
        return local;
    }

    /** Passes each next step of this thread. */
    void take(Model.Steps steps) {
        byte[] before = v;
        Pc pc = pc(t);
        for (int choice = 0; choice < choices(pc); choice++) {
            v = before.clone();
            if (step(pc, choice)) {
                boolean sure = isSure(pc, choice);
                goOn();
                steps.to(v, t, sure);
            }
        }
        v = before;
    }

    /** Takes steps that no other thread can notice, whose order does not matter. */
    void goOn() {
        while (model.isLocal(pc(t))) {
            step(pc(t), 0);
        }
    }

    /** Returns the number of outcomes of a step. */
    private int choices(Pc pc) {
        return switch (pc) {
            case POLL -> setting.tasks().size() + 1; // the task that it takes, or none
            case POLL_RING -> setting.tasks().size() + (setting.leaves() ? 2 : 1); // or it leaves the only task
            case WATCH_ARMED -> setting.solo() ? 4 : setting.leaves() ? 3 : 2;
            case TRY_WORKERS -> setting.solo() ? 2 : 1;
            case SEARCH, SEARCH_LOOKED, WATCH_OWNER_AFFINE -> 2;
            case LOOKED -> 3;
            default -> 1;
        };
    }

    private boolean isSure(Pc pc, int choice) {
        return switch (pc) {
            case SEARCH, SEARCH_LOOKED -> choice == 0 || setting.search() == Setting.Search.SPINS;
            case PARK -> false;
            case WATCH_OWNER_AFFINE, TRY_WORKERS -> choice == 0;
            case WATCH_ARMED -> choice < 3 || isStuck();
            case POLL_RING -> choice <= setting.tasks().size();
            case LOOKED -> choice == 0 || (choice == 1 && isStuck());
            default -> true;
        };
    }

    /** Takes a step; false when it cannot be taken now. */
    private boolean step(Pc pc, int choice) {
        if (pc.compareTo(Pc.PUBLISH_LATE) < 0) {
            return produce(pc);
        } else if (pc.compareTo(Pc.WAKE_CLOCK) < 0) {
            return signal(pc);
        } else if (pc.compareTo(Pc.RUN) < 0) {
            return timers(pc);
        } else if (pc.compareTo(Pc.TRY_WORKERS) < 0) {
            return work(pc, choice);
        } else if (pc.compareTo(Pc.SEARCH) < 0) {
            return afterTask(pc, choice);
        } else if (pc.compareTo(Pc.WATCH) < 0) {
            return withoutWork(pc, choice);
        } else if (pc.compareTo(Pc.TRY_TERMINATE) < 0) {
            return watch(pc, choice);
        }
        return end(pc);
    }
}
