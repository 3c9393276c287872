// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

/** What the watcher does: {@code WorkerPool.watch}, {@code WorkerSet.look} and {@code stopWatching}. */
class WatcherSteps extends IdleSteps {
    WatcherSteps(WorkerSetModel model, byte[] state, int thread) {
        super(model, state, thread);
    }

    boolean watch(Pc pc, int choice) {
        switch (pc) {
            case WATCH -> {
                if (state(t) == WorkerState.WATCHING) {
                    call(Pc.FIRE, Pc.WATCH_ARMED);
                } else {
                    go(Pc.RUN);
                }
            }
            case WATCH_ARMED -> {
                if (choice == 1) { // time for a look
                    call(Pc.WATCH_LOOK, Pc.WATCH);
                    return is(Shared.ARMED);
                }
                if (choice == 2) {
                    go(Pc.WATCH_ATTENDED);
                    return is(Shared.ATTENDED) && !has(Mutant.NOBODY_LOOKS_AFTER_WHAT_WAS_LEFT);
                }
                if (choice == 3 && state(t) != WorkerState.WATCHING) { // it looks all the while
                    go(Pc.WATCH);
                    return is(Shared.SOLO);
                }
                if (choice == 3) { // ready work stands still, or the look is mistaken
                    go(Pc.WATCH_SOLO);
                    return is(Shared.SOLO) && isReady() && !has(Mutant.NOBODY_LOOKS_AFTER_SOLO);
                }
                my(Own.LOOKS, isWatchOn() ? 1 : 0);
                go(Pc.WATCH_UNTIL);
                return !isWatchOn() || setting.timed() != 0; // else it parks, and comes back to this
            }
            case WATCH_ATTENDED -> {
                if (choice == 1) { // workers still take what they add
                    set(Shared.ATTENDED, has(Mutant.ATTENDED_LOOK_WRITES_BACK) ? 1 : get(Shared.ATTENDED));
                    go(Pc.WATCH);
                    return hasOnlySingles();
                }
                set(Shared.ATTENDED, 0);
                if (has(Mutant.ATTENDED_ENDS_WITHOUT_A_LOOK)) {
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
                my(Own.UNTIL, firstTimer());
                go(Pc.WATCH_EMPTY);
            }
            case WATCH_EMPTY -> {
                if (!is(Shared.TIMERS) && my(Own.LOOKS) == 0) {
                    my(Own.UNTIL, 0);
                    my(Own.PERMIT, 0);
                    go(Pc.STOP_WATCHING);
                } else {
                    go(Pc.PARK_WATCHING);
                }
            }
            case WATCH_LOOK -> call(Pc.LOOK_ENTRY, Pc.LOOKED);
            case LOOKED -> {
                return looked(choice);
            }
            case LIMIT_SET -> signalIfSeen(Pc.LOOK_DONE);
            case LOOK_DONE -> goBack();
            case DISARMED -> signalIfSeen(Pc.WATCH);
            default -> {
                return stopWatching(pc);
            }
        }
        return true;
    }

    /**
     * WorkerSet.lookAtWorkers, when it has looked: the limit stays, rises or falls by one, or the watch ends; that the
     * limit changes by more is the same with the others held up between. The watcher looks, or who is awake.
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

    private boolean stopWatching(Pc pc) {
        switch (pc) {
            case STOP_WATCHING -> {
                if (isLocked()) {
                    return false;
                }
                if (state(t) != WorkerState.WATCHING || isWatchOn()) {
                    go(Pc.WATCH);
                    return true;
                }
                set(Shared.WATCHER, 0);
                if (is(Shared.FINISHING)) {
                    state(t, WorkerState.ENDING);
                } else {
                    state(t, WorkerState.IDLE);
                    pushIdle(t);
                }
                go(has(Mutant.STOP_WATCHING_FORGETS_NEW_TIMERS) ? Pc.STOPPED_LOOK : Pc.STOPPED_TIMERS);
            }
            case STOPPED_TIMERS -> {
                if (is(Shared.TIMERS)) {
                    call(Pc.WATCH_TIMERS, Pc.STOPPED_LOOK);
                } else {
                    go(Pc.STOPPED_LOOK);
                }
            }
            case STOPPED_LOOK -> {
                if (has(Mutant.STOP_WATCHING_DOES_NOT_LOOK)) {
                    go(Pc.STOPPED_WATCHING);
                } else {
                    call(Pc.LOOK_ENTRY, Pc.STOPPED_LOOKED);
                }
            }
            case STOPPED_LOOKED -> signalIfSeen(Pc.STOPPED_WATCHING);
            case STOPPED_WATCHING -> {
                if (setting.stops()) {
                    call(Pc.TRY_TERMINATE, Pc.RUN);
                } else {
                    go(Pc.RUN);
                }
            }
            case PARK_WATCHING -> {
                boolean due = my(Own.UNTIL) != 0 && my(Own.UNTIL) <= get(Shared.NOW);
                boolean wakes = my(Own.PERMIT) != 0 || my(Own.LOOKS) != 0 || due;
                wakes |= state(t) != WorkerState.WATCHING; // read before it parks
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

    /** Whether no worker that is awake can go on, but for the one that looks. */
    boolean isStuck() {
        for (int w = producers; w < threads; w++) {
            if (lives(w) && state(w) == WorkerState.AWAKE) {
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
