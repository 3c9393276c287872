// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

/** Producers, {@code Timers}, and how the worker set sees that somebody watches them. */
class TimerSteps extends SignalSteps {
    TimerSteps(WorkerSetModel model, byte[] state, int thread) {
        super(model, state, thread);
    }

    // ------------------------------------------------------------ producers

    boolean produce(Pc pc) {
        switch (pc) {
            case DEAD -> {
                return false;
            }
            case P_NEXT -> {
                if (my(Own.NEXT) == setting.producers().get(t).size()) {
                    go(t == 0 && setting.stops() ? Pc.P_STOP : Pc.DEAD);
                } else if (t == 0 || !is(Shared.STOPPING)) {
                    go(Pc.P_DO);
                } else { // rejected
                    done(fresh(action()));
                    my(Own.NEXT, my(Own.NEXT) + 1);
                }
            }
            case P_DO -> {
                int action = action();
                my(Own.NEXT, my(Own.NEXT) + 1);
                if (action < 0) {
                    addTimer(-1 - action);
                } else {
                    int task = fresh(action);
                    my(Own.TASK, setting.stops() && t != 0 ? task + 1 : 0);
                    publish(task, Pc.P_SUBMITTED);
                }
            }
            case P_SUBMITTED -> go(my(Own.TASK) == 0 ? Pc.P_NEXT : Pc.P_RACED);
            case P_RACED -> { // Spindle.execute: the shutdown may not have seen it
                if (is(Shared.STOPPING) && remove()) {
                    call(Pc.TRY_TERMINATE, Pc.P_NEXT);
                } else {
                    my(Own.TASK, 0);
                    go(Pc.P_NEXT);
                }
            }
            case P_STOP -> { // WorkerPool.stop
                set(Shared.STOPPING, 1);
                call(Pc.LOOK_ENTRY, Pc.P_STOP_LOOKED);
            }
            case P_STOP_LOOKED -> {
                if (sees()) {
                    call(Pc.SIGNAL, Pc.P_TERMINATE);
                } else {
                    go(Pc.P_TERMINATE);
                }
            }
            case P_TERMINATE -> {
                call(Pc.TRY_TERMINATE, Pc.DEAD);
            }
            default -> throw new AssertionError(pc);
        }
        return true;
    }

    private int action() {
        return setting.producers().get(t).get(my(Own.NEXT));
    }

    private boolean remove() {
        int task = my(Own.TASK) - 1;
        if ((get(Shared.ENTRY) >> task & 1) == 0) {
            return false;
        }
        set(Shared.ENTRY, get(Shared.ENTRY) & ~(1 << task));
        done(task);
        my(Own.TASK, 0);
        return true;
    }

    // ------------------------------------------------------------ Timers

    /** WorkerPool.addTimer, Timers.add. */
    private void addTimer(int task) {
        boolean first = !is(Shared.TIMERS);
        set(Shared.TIMERS, get(Shared.TIMERS) | 1 << task);
        if (!is(Shared.EARLIEST) || task + 1 < get(Shared.EARLIEST)) {
            set(Shared.EARLIEST, task + 1);
            call(has(Mutant.EARLIER_TIMER_WAKES_NOBODY) ? Pc.WATCH_TIMERS : Pc.WATCH_TIMERS_AGAIN, Pc.P_SUBMITTED);
        } else {
            call(first ? Pc.WATCH_TIMERS : Pc.ADD_LATER, Pc.P_SUBMITTED);
        }
    }

    /** The point of time of the first timer, or 0. */
    int firstTimer() {
        return is(Shared.TIMERS) ? Integer.numberOfTrailingZeros(get(Shared.TIMERS)) + 1 : 0;
    }

    boolean timers(Pc pc) {
        switch (pc) {
            case ADD_LATER -> {
                if (is(Shared.THREADS)) {
                    back();
                } else {
                    go(Pc.WATCH_TIMERS);
                }
            }
            case WATCH_TIMERS, WATCH_TIMERS_AGAIN -> {
                if (!isWatched()) {
                    go(Pc.WATCH_TIMERS_LOCKED);
                } else if (pc == Pc.WATCH_TIMERS) {
                    back();
                } else {
                    unpark(get(Shared.WATCHER));
                    back();
                }
            }
            case WATCH_TIMERS_LOCKED -> {
                return watchTimers();
            }
            case FIRE_TIMERS -> call(Pc.FIRE, Pc.TIMERS_FIRED);
            case FIRE -> { // Timers.fire: the next that is due
                int first = firstTimer();
                boolean due = first != 0 && first <= get(Shared.NOW);
                if (is(Shared.EARLIEST) && get(Shared.EARLIEST) <= get(Shared.NOW)) {
                    set(Shared.TIMERS, due ? get(Shared.TIMERS) & ~(1 << (first - 1)) : get(Shared.TIMERS));
                    int next = firstTimer();
                    set(Shared.EARLIEST, next == 0 || next > get(Shared.NOW) ? next : get(Shared.EARLIEST));
                } else {
                    due = false;
                }
                if (due) {
                    my(Own.TASK, first);
                    go(Pc.FIRE_PUBLISH);
                } else {
                    goBack();
                }
            }
            case FIRE_PUBLISH -> {
                int task = my(Own.TASK) - 1;
                my(Own.TASK, 0);
                publish(task, Pc.FIRE);
            }
            case TIMERS_FIRED -> {
                if (is(Shared.TIMERS)) {
                    goBack();
                } else {
                    go(Pc.TIMERS_EMPTY);
                }
            }
            case TIMERS_EMPTY -> {
                set(Shared.UNWATCHED, 0);
                if (has(Mutant.TIMERS_FIRED_DOES_NOT_LOOK_AGAIN)) {
                    goBack();
                } else {
                    go(Pc.TIMERS_AGAIN);
                }
            }
            case TIMERS_AGAIN -> {
                if (is(Shared.TIMERS)) {
                    go(Pc.WATCH_TIMERS);
                } else {
                    goBack();
                }
            }
            default -> throw new AssertionError(pc);
        }
        return true;
    }

    /** WorkerSet.watchTimers, under the lock. */
    private boolean watchTimers() {
        if (isLocked()) {
            return false;
        }
        int who = appoint();
        set(Shared.UNWATCHED, !isWatched() && !has(Mutant.NO_WATCHER_AND_NOBODY_TOLD) ? 1 : 0);
        if (who == 0) {
            back();
        } else {
            my(Own.WHO, who);
            rouse();
        }
        return true;
    }
}
