// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

/** The steps of the clock thread: {@code ClockThread.watch} and {@code Watchdog.look}. It never ends in the model. */
class WatcherSteps extends IdleSteps {
    WatcherSteps(WorkerSetModel model, byte[] state, int thread) {
        super(model, state, thread);
    }

    boolean watch(Pc pc, int choice) {
        switch (pc) {
            case WATCH -> call(Pc.FIRE, Pc.WATCH_ARMED);
            case WATCH_ARMED -> {
                if (choice == 1) { // time for a look
                    call(Pc.WATCH_LOOK, Pc.WATCH);
                    return is(Shared.ARMED);
                }
                if (choice == 2) {
                    go(Pc.WATCH_OWNER_AFFINE);
                    return is(Shared.OWNER_AFFINE) && !has(Mutant.NOBODY_LOOKS_AFTER_WHAT_WAS_LEFT);
                }
                if (choice == 3) { // ready work makes no progress, or the look is mistaken
                    go(Pc.WATCH_SOLO);
                    return is(Shared.SOLO) && isReady() && !has(Mutant.NOBODY_LOOKS_AFTER_SOLO);
                }
                my(Own.LOOKS, isWatchOn() ? 1 : 0);
                go(Pc.WATCH_UNTIL);
                return !isWatchOn() || setting.timed() != 0; // otherwise it parks, and returns to this place
            }
            case WATCH_OWNER_AFFINE -> {
                if (choice == 1) { // workers still take what they add
                    set(Shared.OWNER_AFFINE, has(Mutant.OWNER_AFFINE_LOOK_WRITES_BACK) ? 1 : get(Shared.OWNER_AFFINE));
                    go(Pc.WATCH);
                    return hasOnlySingles();
                }
                set(Shared.OWNER_AFFINE, 0);
                if (has(Mutant.OWNER_AFFINE_ENDS_WITHOUT_A_LOOK)) {
                    go(Pc.WATCH);
                } else {
                    call(Pc.LOOK_ENTRY, Pc.DISARMED);
                }
            }
            case WATCH_SOLO -> {
                if (isLocked()) {
                    return false;
                }
                set(Shared.SOLO, 0);
                if (has(Mutant.SOLO_ENDS_WITHOUT_A_LOOK)) {
                    go(Pc.WATCH);
                } else {
                    call(Pc.LOOK_ENTRY, Pc.DISARMED);
                }
            }
            case WATCH_UNTIL -> { // Timers.untilNext
                set(Shared.EARLIEST, firstTimer());
                set(Shared.TOLD, firstTimer());
                my(Own.UNTIL, firstTimer());
                go(Pc.PARK_WATCHING);
            }
            case WATCH_LOOK -> call(Pc.LOOK_ENTRY, Pc.LOOKED);
            case LOOKED -> {
                return looked(choice);
            }
            case LIMIT_SET -> signalIfSeen(Pc.LOOK_DONE);
            case LOOK_DONE -> goBack();
            case DISARMED -> signalIfSeen(Pc.WATCH);
            case PARK_WATCHING -> {
                boolean due = my(Own.UNTIL) != 0 && my(Own.UNTIL) <= get(Shared.NOW);
                boolean wakes = my(Own.PERMIT) != 0 || my(Own.LOOKS) != 0 || due;
                my(Own.PERMIT, 0);
                my(Own.LOOKS, 0);
                my(Own.UNTIL, 0);
                go(Pc.WATCH);
                return wakes;
            }
            default -> throw new AssertionError(pc);
        }
        return true;
    }

    /**
     * Watchdog.lookAtWorkers, after its samples: the limit stays, rises or falls by one, or the watch ends. A change
     * by more equals several changes without other steps in between.
     */
    private boolean looked(int choice) {
        if (isLocked()) {
            return false;
        }
        boolean ready = my(Own.SEEN) != 0;
        my(Own.SEEN, 0);
        if (!is(Shared.ARMED)) {
            go(Pc.LOOK_DONE);
            return choice == 0;
        }
        if (!ready) {
            set(Shared.ARMED, 0);
            int rest = Math.min(get(Shared.LIMIT), get(Shared.AWAKE) - get(Shared.BLOCKED) + setting.core());
            set(Shared.LIMIT, Math.max(setting.core(), rest));
            afterLimit(Mutant.WATCH_ENDS_WITHOUT_A_LAST_LOOK);
            return choice == 0;
        }
        int least = has(Mutant.LIMIT_FALLS_BELOW_CORE) ? 0 : setting.core();
        switch (choice) {
            case 0 -> go(Pc.LOOK_DONE);
            case 1 -> {
                if (get(Shared.LIMIT) >= setting.max() || !(isStuck() || setting.hasty())) {
                    return false;
                }
                add(Shared.LIMIT, 1);
                set(Shared.SOLO, 0);
                afterLimit(Mutant.RAISED_LIMIT_DOES_NOT_SIGNAL);
            }
            default -> {
                if (get(Shared.LIMIT) <= least || !setting.hasty()) {
                    return false;
                }
                add(Shared.LIMIT, -1);
                go(Pc.LOOK_DONE);
            }
        }
        return true;
    }

    private void afterLimit(Mutant mutant) {
        if (has(mutant)) {
            go(Pc.LOOK_DONE);
        } else {
            call(Pc.LOOK_ENTRY, Pc.LIMIT_SET);
        }
    }

    /** Returns true if no awake worker can continue. */
    boolean isStuck() {
        for (int w = producers; w < threads; w++) {
            if (lives(w) && state(w).isInService()) {
                Pc pc = pc(w);
                if (pc != Pc.WAIT && pc != Pc.WAIT_THEN) {
                    return false;
                }
                Task task = setting.tasks().get(own(w, Own.TASK) - 1);
                if (isDone(1 << (pc == Pc.WAIT ? task.other() : task.then()))) {
                    return false;
                }
            }
        }
        return true;
    }
}
