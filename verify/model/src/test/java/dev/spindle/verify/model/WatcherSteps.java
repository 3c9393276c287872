// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

import java.util.EnumSet;
import java.util.Set;

/** All steps: what the watcher does, and how workers end, and the choice of a step by the place of its thread. */
final class WatcherSteps extends WorkerSteps {
    /** Steps that read and write nothing shared. */
    private static final Set<Pc> LOCAL = EnumSet.of(
            Pc.FOUND_LOOKED,
            Pc.EXECUTE,
            Pc.BLOCKING_LOOKED,
            Pc.RETREAT_LOOKED,
            Pc.IDLE_LOOKED,
            Pc.WATCH_LOOK,
            Pc.DISARMED,
            Pc.STOPPED_WATCHING,
            Pc.ENDED_LOOKED);

    WatcherSteps(CrewModel model, byte[] state, int thread) {
        super(model, state, thread);
    }

    /** Whether the next step of the thread is one that nobody else notices. */
    boolean isLocal() {
        return LOCAL.contains(pc(t));
    }

    /** Hands over what this thread can do next. */
    void take(Model.Steps steps) {
        byte[] before = v;
        Pc pc = pc(t);
        for (int choice = 0; choice < choices(pc); choice++) {
            v = before.clone();
            if (step(pc, choice)) {
                steps.to(v, t);
            }
        }
    }

    /** In how many ways a step can go. */
    private int choices(Pc pc) {
        return switch (pc) {
            case POLL, POLL_RING -> setting.tasks().size() + 1; // which task it takes, if any
            case SEARCH, SEARCH_LOOKED, PARK, LOOKED, WATCH -> 2;
            default -> 1;
        };
    }

    /** Takes a step; false when it cannot be taken now. */
    private boolean step(Pc pc, int choice) {
        if (pc.compareTo(Pc.LOOK_ENTRY) < 0) {
            return signal(pc);
        } else if (pc.compareTo(Pc.RUN) < 0) {
            return look(pc);
        } else if (pc.compareTo(Pc.UNWATCHED) < 0) {
            return work(pc, choice);
        } else if (pc.compareTo(Pc.SEARCH) < 0) {
            return afterTask(pc);
        } else if (pc.compareTo(Pc.WATCH) < 0) {
            return withoutWork(pc, choice);
        } else if (pc.compareTo(Pc.STOP_WATCHING) < 0) {
            return watch(pc, choice);
        } else if (pc.compareTo(Pc.TRY_TERMINATE) < 0) {
            return watchTimers(pc);
        }
        return end(pc);
    }

    // ------------------------------------------------------------ WorkerPool.watch, and the end

    private boolean watch(Pc pc, int choice) {
        switch (pc) {
            case WATCH -> {
                if (state(t) != WorkerState.WATCHING) {
                    go(Pc.RUN);
                    return choice == 0;
                }
                if (choice == 1) { // time for a look
                    if (get(Shared.ARMED) == 0) {
                        return false;
                    }
                    go(Pc.WATCH_LOOK);
                } else {
                    go(Pc.FIRE);
                }
            }
            case WATCH_LOOK -> call(Pc.LOOK_ENTRY, Pc.LOOKED);
            case LOOKED -> {
                boolean ready = my(Own.SEEN) != 0;
                if (choice == 0) {
                    my(Own.SEEN, 0);
                    go(Pc.WATCH); // not yet
                } else if (!ready) {
                    set(Shared.ARMED, 0);
                    if (has(Mutant.WATCH_ENDS_WITHOUT_A_LAST_LOOK)) {
                        go(Pc.WATCH);
                    } else {
                        call(Pc.LOOK_ENTRY, Pc.DISARMED);
                    }
                } else if (isStuck()) {
                    my(Own.SEEN, 0);
                    go(Pc.GROW);
                } else {
                    return false;
                }
            }
            case DISARMED -> {
                if (sees()) {
                    call(Pc.SIGNAL, Pc.WATCH);
                } else {
                    go(Pc.WATCH);
                }
            }
            case GROW -> {
                if (!lock()) {
                    return false;
                }
                if (get(Shared.LIMIT) >= setting.max()) {
                    unlock();
                    go(Pc.WATCH);
                    return true;
                }
                int who = pollIdle();
                who = who != 0 ? who : reserve();
                if (who == 0 && get(Shared.THREADS) >= setting.max()) {
                    who = get(Shared.WATCHER);
                    set(Shared.WATCHER, 0);
                    if (who != 0) {
                        set(Shared.ARMED, 0);
                        set(Shared.UNWATCHED, get(Shared.TIMER) != 0 ? 1 : 0);
                    }
                }
                if (who == 0) {
                    unlock();
                    go(Pc.WATCH);
                } else {
                    my(Own.WHO, who);
                    go(Pc.GROW_LIMIT);
                }
            }
            case GROW_LIMIT -> {
                add(Shared.LIMIT, 1);
                go(Pc.GROW_AWAKE);
            }
            case GROW_AWAKE -> {
                add(Shared.AWAKE, 1);
                go(Pc.GROW_SEARCHING);
            }
            case GROW_SEARCHING -> {
                add(Shared.SEARCHING, 1);
                my(Own.RETURN, Pc.WATCH.ordinal());
                wake(WorkerState.AWAKE);
                unlock();
            }
            default -> throw new AssertionError(pc);
        }
        return true;
    }

    /** The timers. */
    boolean watchTimers(Pc pc) {
        switch (pc) {
            case FIRE -> {
                if (get(Shared.TIMER) == 2) {
                    fire(Pc.WATCH);
                } else if (get(Shared.TIMER) == 0 && get(Shared.ARMED) == 0) {
                    go(Pc.STOP_WATCHING);
                } else {
                    go(Pc.PARK_WATCHING);
                }
            }
            case STOP_WATCHING -> {
                if (get(Shared.LOCK) != 0) {
                    return false;
                }
                if (state(t) != WorkerState.WATCHING || get(Shared.ARMED) != 0) {
                    go(Pc.WATCH);
                    return true;
                }
                set(Shared.WATCHER, 0);
                if (get(Shared.FINISHING) != 0) {
                    state(t, WorkerState.ENDING);
                } else {
                    state(t, WorkerState.IDLE);
                    pushIdle(t);
                }
                // read in the same step as the lock is given back: an earlier read sees fewer timers, as the mutant does
                if (get(Shared.TIMER) != 0 && !has(Mutant.STOP_WATCHING_FORGETS_NEW_TIMERS)) {
                    call(Pc.WATCH_TIMERS, Pc.STOPPED_WATCHING);
                } else {
                    go(Pc.STOPPED_WATCHING);
                }
            }
            case STOPPED_WATCHING -> call(Pc.TRY_TERMINATE, Pc.RUN);
            case PARK_WATCHING -> {
                my(Own.PERMIT, 0); // with or without it: there is something to wait for, so time passes
                go(Pc.WATCH);
            }
            default -> throw new AssertionError(pc);
        }
        return true;
    }

    /** The end of the pool, and of a worker. */
    boolean end(Pc pc) {
        switch (pc) {
            case TRY_TERMINATE -> {
                if (get(Shared.STOPPING) != 0 && get(Shared.DONE) == setting.all() && get(Shared.FINISHING) == 0) {
                    go(Pc.FINISH);
                } else {
                    back();
                }
            }
            case FINISH -> {
                if (get(Shared.LOCK) != 0) {
                    return false;
                }
                set(Shared.FINISHING, 1);
                set(Shared.ARMED, get(Shared.WATCHER) == 0 ? get(Shared.ARMED) : 0);
                for (int w = producers; w < threads; w++) {
                    if (isIdle(w) || get(Shared.WATCHER) == w) {
                        state(w, WorkerState.ENDING);
                        unpark(w);
                    }
                }
                while (pollIdle() != 0) {}
                set(Shared.WATCHER, 0);
                back();
            }
            case ENDED -> {
                if (get(Shared.LOCK) != 0) {
                    return false;
                }
                add(Shared.THREADS, -1);
                add(Shared.EXPIRING, -my(Own.EXPIRED));
                my(Own.EXPIRED, 0);
                if (has(Mutant.ENDED_DOES_NOT_SIGNAL)) {
                    die();
                } else {
                    call(Pc.LOOK_ENTRY, Pc.ENDED_LOOKED);
                }
            }
            case ENDED_LOOKED -> {
                if (sees()) {
                    call(Pc.SIGNAL, Pc.DIE);
                } else {
                    die();
                }
            }
            case DIE -> die();
            default -> throw new AssertionError(pc);
        }
        return true;
    }

    private void die() {
        my(Own.PERMIT, 0);
        my(Own.RETURN, 0);
        my(Own.STATE, 0);
        go(Pc.DEAD);
    }

    /** Whether no worker that is awake can go on, but for the one that looks. */
    private boolean isStuck() {
        for (int w = producers; w < threads; w++) {
            if (lives(w) && state(w) == WorkerState.AWAKE) {
                boolean waits = pc(w) == Pc.WAIT
                        && (get(Shared.DONE) >> setting.tasks().get(own(w, Own.TASK)).other() & 1) == 0;
                if (!waits) {
                    return false;
                }
            }
        }
        return true;
    }
}
