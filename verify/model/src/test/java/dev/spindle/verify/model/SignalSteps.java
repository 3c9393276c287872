// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

/** What wakes workers: {@code WorkerPool.ready}, {@code Crew.signal} and {@code ReadyQueue.hasReady}. */
@SuppressWarnings("EnumOrdinal") // a state is an array, and its enums are places and values in it
class SignalSteps extends CrewState {
    SignalSteps(CrewModel model, byte[] state, int thread) {
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

    /** Returns where an entry goes: a worker that is awake keeps it. */
    int home() {
        return t >= producers && state(t) == WorkerState.AWAKE ? ring(t) : place(Shared.ENTRY);
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
                if (is(Shared.ATTENDED) && next) {
                    returned(true);
                } else {
                    go(Pc.SIGNAL);
                }
            }
            case SIGNAL -> {
                if (is(Shared.SEARCHING)) {
                    returned(true);
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
                    returned(true);
                } else {
                    go(Pc.SIGNAL_ARMED);
                }
            }
            case SIGNAL_ARMED -> {
                if (is(Shared.ARMED)) {
                    returned(true);
                } else {
                    go(Pc.SLOW_SIGNAL);
                }
            }
            case SLOW_SIGNAL -> {
                return slowSignal();
            }
            case SLOW_DISARM -> {
                set(Shared.ARMED, 0);
                set(Shared.ATTENDED, has(Mutant.TAKEN_WATCHER_STAYS_ATTENDED) ? get(Shared.ATTENDED) : 0);
                go(Pc.SLOW_UNWATCH);
            }
            case SLOW_UNWATCH -> {
                set(Shared.UNWATCHED, is(Shared.TIMERS) && !has(Mutant.TAKEN_WATCHER_LEAVES_TIMERS) ? 1 : 0);
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
            case ARM_WATCHER -> armWatcher();
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

    /** Returns from a signal; a producer learns whether there is any thread. */
    void returned(boolean thereIs) {
        my(Own.FAILED, thereIs || t >= producers ? 0 : 1);
        back();
    }

    private boolean slowSignal() {
        if (!lock()) {
            return false;
        }
        if (is(Shared.SEARCHING)) {
            unlock();
            returned(true);
        } else if (get(Shared.AWAKE) - get(Shared.BLOCKED) < get(Shared.LIMIT)) {
            int who = pollIdle();
            boolean takesWatcher = who == 0 && is(Shared.ATTENDED) && !is(Shared.ARMED) && is(Shared.WATCHER);
            who = who != 0 || takesWatcher ? who : reserve();
            if (who != 0) {
                my(Own.WHO, who);
                go(Pc.SLOW_AWAKE);
            } else if (is(Shared.WATCHER)) {
                my(Own.WHO, get(Shared.WATCHER));
                set(Shared.WATCHER, 0);
                go(Pc.SLOW_DISARM);
            } else {
                unlock();
                returned(is(Shared.THREADS));
            }
        } else if (!is(Shared.ARMED) && get(Shared.LIMIT) < setting.max() && !has(Mutant.WATCH_IS_NOT_ARMED)) {
            go(Pc.ARM);
        } else {
            unlock();
            returned(true);
        }
        return true;
    }

    private void armWatcher() {
        int who = get(Shared.WATCHER);
        who = who != 0 ? who : pollIdle();
        who = who != 0 ? who : reserve();
        if (who == 0) {
            set(Shared.ARMED, get(Shared.THREADS) >= setting.max() ? 1 : 0);
            unlock();
            returned(is(Shared.THREADS));
        } else {
            set(Shared.WATCHER, who);
            my(Own.WHO, who);
            wake(WorkerState.WATCHING);
            unlock();
        }
    }

    /**
     * Unparks a worker whose state was changed, in the same step: that the worker, or the waker, is late makes no difference.
     * A permit that nobody waits for would only make one later park return at once, and is left out.
     */
    void unpark(int worker) {
        Pc pc = pc(worker);
        if (has(Mutant.WAKES_WITHOUT_UNPARK)) {
            return;
        }
        if (pc == Pc.PARK) {
            own(worker, Own.PC, atStart(worker).ordinal());
        } else if (pc == Pc.WATCH_UNTIL || pc == Pc.WATCH_EMPTY || pc == Pc.PARK_WATCHING) {
            own(worker, Own.PERMIT, 1);
        }
    }

    /** Where a worker goes that looks at its state. */
    Pc atStart(int worker) {
        return switch (state(worker)) {
            case AWAKE -> Pc.POLL;
            case IDLE -> Pc.PARK;
            case WATCHING -> Pc.WATCH;
            case ENDING -> Pc.ENDED;
        };
    }

    /** Crew.reserve: a thread that is made, and does not run yet; or 0. */
    int reserve() {
        int bound = setting.max() + (has(Mutant.GROWS_PAST_THE_MAXIMUM) ? 1 : 0);
        boolean over = is(Shared.TERMINATED) && !has(Mutant.STARTS_AFTER_THE_END);
        if (get(Shared.THREADS) >= bound || over) {
            return 0;
        }
        for (int w = producers; w < threads; w++) {
            if (!lives(w)) {
                add(Shared.THREADS, 1);
                own(w, Own.PERMIT, NOT_STARTED);
                return w;
            }
        }
        if (has(Mutant.GROWS_PAST_THE_MAXIMUM)) {
            return 0;
        }
        throw new AssertionError("no thread is left");
    }

    /** Sets the state of WHO, and unparks or starts it: to start a thread does not fail here. */
    void wake(WorkerState to) {
        int who = my(Own.WHO);
        state(who, to);
        own(who, Own.SEARCHES, to == WorkerState.AWAKE ? 1 : 0);
        if (own(who, Own.PERMIT) == NOT_STARTED) {
            own(who, Own.PERMIT, 0);
            own(who, Own.PC, atStart(who).ordinal());
        } else {
            unpark(who);
        }
        returned(true);
    }
}
