// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

/** The steps of producers, of {@code Timers}, and of the wake-up of the clock thread. */
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
            case P_RACED -> { // Spindle.execute: the shutdown may have missed it
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

    /** Timers.add, and WorkerPool.timerAdded. */
    private void addTimer(int task) {
        set(Shared.TIMERS, get(Shared.TIMERS) | 1 << task);
        if (!is(Shared.EARLIEST) || task + 1 < get(Shared.EARLIEST)) {
            set(Shared.EARLIEST, task + 1);
        }
        boolean earlier = !is(Shared.TOLD) || task + 1 < get(Shared.TOLD);
        if (earlier && !has(Mutant.EARLIER_TIMER_WAKES_NOBODY)) {
            call(Pc.WAKE_CLOCK, Pc.P_SUBMITTED);
        } else {
            go(Pc.P_SUBMITTED);
        }
    }

    /** Returns the time of the first timer, or 0. */
    int firstTimer() {
        return is(Shared.TIMERS) ? Integer.numberOfTrailingZeros(get(Shared.TIMERS)) + 1 : 0;
    }

    boolean timers(Pc pc) {
        switch (pc) {
            case WAKE_CLOCK -> {
                unpark(clock);
                back();
            }
            case FIRE -> { // Timers.fire: the next due timer
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
            default -> throw new AssertionError(pc);
        }
        return true;
    }
}
