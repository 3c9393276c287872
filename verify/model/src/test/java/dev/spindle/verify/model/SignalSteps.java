// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

import dev.spindle.internal.pool.wake.WorkerState;

/** The steps that wake workers: {@code WorkerPool.ready}, {@code WorkerSet.signal} and {@code ReadyQueue.hasReady}. */
@SuppressWarnings("EnumOrdinal") // a state is an array, and its enums are places and values in it
class SignalSteps extends WorkerSetModelState {
    SignalSteps(WorkerSetModel model, byte[] state, int thread) {
        super(model, state, thread);
    }

    /** WorkerPool.ready. */
    void publish(int task, Pc back) {
        if (has(Mutant.SIGNAL_BEFORE_PUBLISHING)) {
            my(Own.LATE, task + 1);
            call(Pc.PUBLISH_LATE, back);
            call(Pc.SIGNAL, Pc.PUBLISH_LATE);
        } else {
            boolean own = home() != place(Shared.ENTRY);
            v[home()] |= (byte) (1 << task);
            call(own && setting.leaves() ? Pc.PUBLISHED_OWN : Pc.SIGNAL, back);
        }
    }

    /** Returns the queue of an entry: that of the calling worker if it is awake. */
    int home() {
        return t >= producers && t != clock && state(t).isInService() ? ring(t) : place(Shared.ENTRY);
    }

    boolean signal(Pc pc) {
        switch (pc) {
            case PUBLISH_LATE -> {
                v[home()] |= (byte) (1 << (my(Own.LATE) - 1));
                my(Own.LATE, 0);
                goBack();
            }
            case PUBLISHED_OWN -> {
                boolean next = Integer.bitCount(my(Own.RING)) <= 1 || has(Mutant.SECOND_ENTRY_WAKES_NOBODY);
                if (is(Shared.OWNER_AFFINE) && next) {
                    back();
                } else {
                    go(Pc.SIGNAL);
                }
            }
            case SIGNAL -> {
                if (is(Shared.SEARCHING)) {
                    back();
                } else {
                    go(Pc.SIGNAL_LIMIT);
                }
            }
            case SIGNAL_LIMIT -> {
                my(Own.BOUND, limit());
                go(Pc.SIGNAL_AWAKE);
            }
            case SIGNAL_AWAKE -> {
                my(Own.SEEN, get(Shared.AWAKE));
                go(Pc.SIGNAL_BLOCKED);
            }
            case SIGNAL_BLOCKED -> {
                boolean room = my(Own.SEEN) - get(Shared.BLOCKED) < my(Own.BOUND) && my(Own.SEEN) < setting.max();
                my(Own.SEEN, 0);
                my(Own.BOUND, 0);
                if (room) {
                    go(Pc.SLOW_SIGNAL);
                } else if (has(Mutant.WATCH_IS_NOT_ARMED)) {
                    back();
                } else {
                    go(Pc.SIGNAL_ARMED);
                }
            }
            case SIGNAL_ARMED -> {
                if (is(Shared.ARMED)) {
                    back();
                } else {
                    go(Pc.SLOW_SIGNAL);
                }
            }
            case SLOW_SIGNAL -> {
                return slowSignal();
            }
            case SLOW_AWAKE -> enlist();
            case SLOW_SEARCHING -> {
                int target = my(Own.TARGET);
                add(Shared.SEARCHING, 1);
                state(target, WorkerState.SEARCHING);
                go(mayArmToo() ? Pc.SLOW_ARM : Pc.SLOW_WAKE);
            }
            case SLOW_ARM -> {
                arm();
                go(Pc.SLOW_WAKE);
            }
            case SLOW_WAKE -> {
                unlock();
                rouse();
            }
            case ARM -> {
                arm();
                unlock();
                back();
            }
            case START -> {
                int target = my(Own.TARGET);
                own(target, Own.PERMIT, 0);
                own(target, Own.PC, atStart(target).ordinal());
                go(Pc.STARTED);
            }
            case STARTED -> { // with a platform thread it counts as searching as soon as its thread has started
                if (isLocked()) {
                    return false;
                }
                int target = my(Own.TARGET);
                boolean came = state(target) != WorkerState.STARTING && !has(Mutant.STARTER_MOVES_A_WORKER_THAT_CAME);
                if (!came && lives(target)) {
                    if (own(target, Own.VIRTUAL) != 0) {
                        state(target, WorkerState.COMING);
                    } else {
                        come(target, true);
                    }
                }
                back();
            }
            case LOOK_ENTRY -> {
                my(Own.SEEN, is(Shared.ENTRY) ? 1 : 0);
                if (is(Shared.ENTRY) || !setting.usesRings()) {
                    my(Own.MORE, 0);
                    goBack();
                } else {
                    my(Own.BOUND, producers);
                    go(Pc.LOOK_RING);
                }
            }
            case LOOK_RING -> {
                int at = my(Own.BOUND);
                my(Own.SEEN, Integer.bitCount(own(at, Own.RING)) > my(Own.MORE) ? 1 : 0);
                my(Own.BOUND, at + 1);
                if (my(Own.SEEN) != 0 || at + 1 == threads) {
                    my(Own.BOUND, 0);
                    my(Own.MORE, 0);
                    goBack();
                }
            }
            default -> throw new AssertionError(pc);
        }
        return true;
    }

    private boolean slowSignal() {
        if (!lock()) {
            return false;
        }
        if (is(Shared.SEARCHING)) {
            unlock();
            back();
            return true;
        }
        int room = limit() - (get(Shared.AWAKE) - get(Shared.BLOCKED));
        boolean free = room > get(Shared.COMING);
        int target = room > 0 ? pollIdle(free) : 0;
        target = target == 0 && room > 0 && free ? reserve() : target;
        if (target != 0) {
            my(Own.TARGET, target);
            go(Pc.SLOW_AWAKE);
        } else {
            go(Pc.ARM);
        }
        return true;
    }

    /** Watchdog.arm, and the steps after it outside the lock. */
    void arm() {
        boolean arms = !is(Shared.ARMED) && !is(Shared.FINISHING) && !has(Mutant.WATCH_IS_NOT_ARMED);
        if (arms) {
            set(Shared.ARMED, 1);
            if (!has(Mutant.ARMED_WITHOUT_WAKING_THE_CLOCK_THREAD)) {
                unpark(clock);
            }
        }
    }

    /** Returns true if a limit from before may be too high. */
    private boolean mayArmToo() {
        int unblocked = get(Shared.AWAKE) + get(Shared.COMING) - get(Shared.BLOCKED);
        return get(Shared.LIMIT) > setting.core() && unblocked >= setting.core();
    }

    /**
     * Unparks a worker whose state was changed, in the same step: a delay of the worker or of the waker makes no
     * difference. A permit for a worker that is not parked would make one later park return at once, and is left out.
     */
    void unpark(int worker) {
        Pc pc = pc(worker);
        if (has(Mutant.WAKES_WITHOUT_UNPARK)) {
            return;
        }
        if (pc == Pc.PARK) {
            own(worker, Own.PC, atStart(worker).ordinal());
        } else if (pc == Pc.WATCH_UNTIL || pc == Pc.PARK_WATCHING) {
            own(worker, Own.PERMIT, 1);
        }
    }

    /** Returns the place of a worker that rereads its state. */
    Pc atStart(int worker) {
        return switch (state(worker)) {
            case STARTING, COMING -> Pc.COME;
            case WORKING, SEARCHING -> Pc.POLL;
            case IDLE -> Pc.PARK;
            case EXPIRED, ENDING -> Pc.ENDED;
            case ENDED -> throw new AssertionError("a worker that has ended goes on");
        };
    }

    /** ThreadStarter.reserve: returns a thread that is created and does not run yet, or 0. */
    int reserve() {
        int bound = setting.max() + (has(Mutant.GROWS_PAST_THE_MAXIMUM) ? 1 : 0);
        boolean over = is(Shared.FINISHING) && !has(Mutant.STARTS_AFTER_THE_END);
        if (get(Shared.THREADS) >= bound || over) {
            return 0;
        }
        for (int w = producers; w < threads; w++) {
            if (!lives(w)) {
                add(Shared.THREADS, 1);
                own(w, Own.PERMIT, NOT_STARTED);
                boolean virtual = setting.late() == Setting.Late.CARRIER && get(Shared.THREADS) > setting.core();
                own(w, Own.VIRTUAL, virtual ? 1 : 0);
                return w;
            }
        }
        if (has(Mutant.GROWS_PAST_THE_MAXIMUM)) {
            return 0;
        }
        throw new AssertionError("no thread is left");
    }

    /** WorkerStates.wake, or add: puts the TARGET to work; a worker that is coming does not count as awake yet. */
    private void enlist() {
        int target = my(Own.TARGET);
        boolean starts = state(target) == WorkerState.STARTING;
        if (starts ? setting.late() != Setting.Late.NONE : own(target, Own.VIRTUAL) != 0) {
            add(Shared.COMING, 1);
            if (!starts) {
                state(target, WorkerState.COMING);
            }
            go(mayArmToo() ? Pc.SLOW_ARM : Pc.SLOW_WAKE);
        } else {
            add(Shared.AWAKE, 1);
            go(Pc.SLOW_SEARCHING);
        }
    }

    /** Unparks the TARGET, or starts its thread, which does not fail in the model. */
    void rouse() {
        int target = my(Own.TARGET);
        if (own(target, Own.PERMIT) == NOT_STARTED && setting.late() != Setting.Late.NONE) {
            own(target, Own.PERMIT, IN_FACTORY);
            go(Pc.START);
        } else if (own(target, Own.PERMIT) == NOT_STARTED) {
            own(target, Own.PERMIT, 0);
            own(target, Own.PC, atStart(target).ordinal());
            back();
        } else {
            unpark(target);
            back();
        }
    }

    /**
     * The end of COMING, in one step: until then the worker counts as coming, which keeps others from being woken.
     */
    void come(int worker, boolean searches) {
        if (!state(worker).comes) {
            return;
        }
        own(worker, Own.CAME, searches ? 0 : 1);
        add(Shared.COMING, -1);
        add(Shared.AWAKE, 1);
        add(Shared.SEARCHING, searches ? 1 : 0);
        state(worker, searches ? WorkerState.SEARCHING : WorkerState.WORKING);
    }
}
