// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

/** What wakes workers: producers, {@code Crew.signal}, {@code ReadyQueue.hasReady} and {@code Crew.watchTimers}. */
class SignalSteps extends CrewState {
    SignalSteps(CrewModel model, byte[] state, int thread) {
        super(model, state, thread);
    }

    // ------------------------------------------------------------ producers, and Crew.signal

    boolean signal(Pc pc) {
        switch (pc) {
            case DEAD -> {
                return false;
            }
            case P_NEXT -> {
                int[] script = setting.producers()[t];
                int next = my(Own.NEXT);
                if (next == script.length) {
                    go(t == 0 && setting.stops() ? Pc.P_STOP : Pc.DEAD);
                } else {
                    my(Own.NEXT, next + 1);
                    publish(script[next], Shared.ENTRY.ordinal(), Pc.P_NEXT);
                }
            }
            case P_TIMER -> {
                set(Shared.TIMER, 1);
                call(Pc.WATCH_TIMERS, Pc.P_NEXT);
            }
            case P_STOP -> {
                set(Shared.STOPPING, 1);
                call(Pc.TRY_TERMINATE, Pc.DEAD);
            }
            case PUBLISH_LATE -> {
                Pc back = PCS[my(Own.LATE_BACK)];
                int queue = back == Pc.DONE ? SHARED + t * OWN + Own.RING.ordinal() : Shared.ENTRY.ordinal();
                v[queue] |= (byte) (1 << (my(Own.LATE) - 1));
                my(Own.LATE, 0);
                my(Own.LATE_BACK, 0);
                go(back);
            }
            case SIGNAL -> {
                if (get(Shared.SEARCHING) > 0) {
                    back();
                } else {
                    go(Pc.SIGNAL_LIMIT);
                }
            }
            case SIGNAL_LIMIT -> {
                my(Own.BOUND, get(Shared.LIMIT));
                go(Pc.SIGNAL_AWAKE);
            }
            case SIGNAL_AWAKE -> {
                my(Own.SEEN, get(Shared.AWAKE));
                go(Pc.SIGNAL_BLOCKED);
            }
            case SIGNAL_BLOCKED -> {
                boolean room = my(Own.SEEN) - get(Shared.BLOCKED) < my(Own.BOUND);
                boolean most = my(Own.BOUND) >= setting.max();
                my(Own.SEEN, 0);
                my(Own.BOUND, 0);
                if (room) {
                    go(Pc.SLOW_SIGNAL);
                } else if (most || has(Mutant.WATCH_IS_NOT_ARMED)) {
                    back();
                } else {
                    go(Pc.SIGNAL_ARMED);
                }
            }
            case SIGNAL_ARMED -> {
                if (get(Shared.ARMED) != 0) {
                    back();
                } else {
                    go(Pc.SLOW_SIGNAL);
                }
            }
            case SLOW_SIGNAL -> {
                return slowSignal();
            }
            case SLOW_DISARM -> {
                set(Shared.ARMED, 0);
                go(Pc.SLOW_UNWATCH);
            }
            case SLOW_UNWATCH -> {
                set(Shared.UNWATCHED, get(Shared.TIMER) != 0 && !has(Mutant.TAKEN_WATCHER_LEAVES_TIMERS) ? 1 : 0);
                go(Pc.SLOW_AWAKE);
            }
            case SLOW_AWAKE -> {
                add(Shared.AWAKE, 1);
                go(Pc.SLOW_SEARCHING);
            }
            case SLOW_SEARCHING -> {
                add(Shared.SEARCHING, 1);
                wake(WorkerState.AWAKE);
                unlock();
            }
            case ARM -> {
                set(Shared.ARMED, 1);
                go(Pc.ARM_WATCHER);
            }
            case ARM_WATCHER -> {
                int who = get(Shared.WATCHER);
                who = who != 0 ? who : pollIdle();
                who = who != 0 ? who : reserve();
                if (who == 0) {
                    set(Shared.ARMED, get(Shared.THREADS) >= setting.max() ? 1 : 0);
                    unlock();
                    back();
                } else {
                    set(Shared.WATCHER, who);
                    my(Own.WHO, who);
                    wake(WorkerState.WATCHING);
                    unlock();
                }
            }
            case UNPARK -> {
                unpark(my(Own.WHO));
                back();
            }
            case START -> {
                own(my(Own.WHO), Own.PERMIT, 0);
                own(my(Own.WHO), Own.PC, Pc.RUN.ordinal());
                back();
            }
            default -> throw new AssertionError(pc);
        }
        return true;
    }

    void unpark(int worker) {
        if (own(worker, Own.PERMIT) != NOT_STARTED && !has(Mutant.WAKES_WITHOUT_UNPARK)) {
            own(worker, Own.PERMIT, 1);
        }
    }

    /** WorkerPool.ready: {@code queue} is the place of a set of tasks. */
    void publish(int task, int queue, Pc back) {
        if (has(Mutant.SIGNAL_BEFORE_PUBLISHING)) {
            my(Own.LATE, task + 1);
            my(Own.LATE_BACK, back.ordinal());
            call(Pc.SIGNAL, Pc.PUBLISH_LATE);
            return;
        }
        v[queue] |= (byte) (1 << task);
        call(Pc.SIGNAL, back);
    }

    boolean slowSignal() {
        if (!lock()) {
            return false;
        }
        if (get(Shared.SEARCHING) > 0) {
            unlock();
            back();
        } else if (get(Shared.AWAKE) - get(Shared.BLOCKED) < get(Shared.LIMIT)) {
            int who = pollIdle();
            who = who != 0 ? who : reserve();
            if (who != 0) {
                my(Own.WHO, who);
                go(Pc.SLOW_AWAKE);
            } else if (get(Shared.WATCHER) != 0) {
                my(Own.WHO, get(Shared.WATCHER));
                set(Shared.WATCHER, 0);
                go(Pc.SLOW_DISARM);
            } else {
                unlock();
                back();
            }
        } else if (get(Shared.ARMED) == 0
                && get(Shared.LIMIT) < setting.max()
                && !has(Mutant.WATCH_IS_NOT_ARMED)) {
            go(Pc.ARM);
        } else {
            unlock();
            back();
        }
        return true;
    }

    /** Crew.reserve: a thread that is made, and does not run yet; or 0. */
    int reserve() {
        int bound = setting.max() + (has(Mutant.GROWS_PAST_THE_MAXIMUM) ? 1 : 0);
        if (get(Shared.THREADS) >= bound || get(Shared.FINISHING) != 0) {
            return 0;
        }
        for (int w = producers; w < threads; w++) {
            if (!lives(w)) {
                add(Shared.THREADS, 1);
                own(w, Own.PERMIT, NOT_STARTED);
                my(Own.NEW, 1);
                return w;
            }
        }
        throw new AssertionError("no thread is left");
    }

    /** Sets the state of WHO, and goes on to unpark or to start it. */
    void wake(WorkerState to) {
        int who = my(Own.WHO);
        boolean isNew = my(Own.NEW) != 0; // another's, not started yet, may be taken too, and is started only by that one
        my(Own.NEW, 0);
        state(who, to);
        own(who, Own.SEARCHES, to == WorkerState.AWAKE ? 1 : 0);
        go(isNew ? Pc.START : Pc.UNPARK);
    }

    // ------------------------------------------------------------ ReadyQueue.hasReady, Crew.watchTimers

    boolean look(Pc pc) {
        switch (pc) {
            case LOOK_ENTRY -> {
                my(Own.SEEN, get(Shared.ENTRY) != 0 ? 1 : 0);
                if (my(Own.SEEN) != 0 || !setting.usesRings()) {
                    goBack();
                } else {
                    my(Own.BOUND, producers);
                    go(Pc.LOOK_RING);
                }
            }
            case LOOK_RING -> {
                int at = my(Own.BOUND);
                my(Own.SEEN, own(at, Own.RING) != 0 ? 1 : 0);
                my(Own.BOUND, at + 1);
                if (my(Own.SEEN) != 0 || at + 1 == threads) {
                    my(Own.BOUND, 0);
                    goBack();
                }
            }
            case WATCH_TIMERS -> { // `again` is never asked for: there is one timer
                if (get(Shared.WATCHER) != 0) {
                    back();
                } else {
                    go(Pc.WATCH_TIMERS_LOCKED);
                }
            }
            case WATCH_TIMERS_LOCKED -> {
                if (get(Shared.LOCK) != 0) {
                    return false;
                }
                int who = get(Shared.WATCHER);
                if (who == 0) {
                    who = pollIdle();
                    who = who != 0 ? who : reserve();
                    set(Shared.WATCHER, who);
                    set(Shared.UNWATCHED, who == 0 ? 1 : 0);
                    if (who == 0) {
                        back();
                    } else {
                        my(Own.WHO, who);
                        wake(WorkerState.WATCHING);
                    }
                } else {
                    my(Own.WHO, who);
                    go(Pc.UNPARK);
                }
            }
            default -> throw new AssertionError(pc);
        }
        return true;
    }

    boolean sees() {
        boolean seen = my(Own.SEEN) != 0;
        my(Own.SEEN, 0);
        return seen;
    }
}
