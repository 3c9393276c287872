// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

/** What a worker does while it is awake or idle. */
class WorkerSteps extends SignalSteps {
    WorkerSteps(CrewModel model, byte[] state, int thread) {
        super(model, state, thread);
    }

    // ------------------------------------------------------------ Worker

    /** Takes an entry and runs it. */
    boolean work(Pc pc, int choice) {
        switch (pc) {
            case RUN -> {
                switch (state(t)) {
                    case AWAKE -> go(Pc.POLL);
                    case IDLE -> go(Pc.PARK);
                    case WATCHING -> go(Pc.WATCH);
                    case ENDING -> go(Pc.ENDED);
                }
            }
            case POLL -> {
                return poll(Shared.ENTRY.ordinal(), choice, setting.usesRings() ? Pc.POLL_RING : Pc.SEARCH);
            }
            case POLL_RING -> {
                int at = my(Own.BOUND) == 0 ? producers : my(Own.BOUND);
                my(Own.BOUND, at + 1);
                return poll(
                        SHARED + at * OWN + Own.RING.ordinal(),
                        choice,
                        at + 1 == threads ? Pc.SEARCH : Pc.POLL_RING);
            }
            case FOUND -> {
                if (get(Shared.LOCK) != 0) {
                    return false;
                }
                add(Shared.SEARCHING, -1);
                my(Own.SEARCHES, 0);
                if (has(Mutant.FOUND_DOES_NOT_SIGNAL)) {
                    go(Pc.EXECUTE);
                } else {
                    call(Pc.LOOK_ENTRY, Pc.FOUND_LOOKED);
                }
            }
            case FOUND_LOOKED -> {
                if (sees()) {
                    call(Pc.SIGNAL, Pc.EXECUTE);
                } else {
                    go(Pc.EXECUTE);
                }
            }
            case EXECUTE -> {
                switch (task().kind()) {
                    case PLAIN -> go(Pc.DONE);
                    case NESTS -> go(Pc.NEST);
                    case BLOCKS -> go(Pc.BEGIN_BLOCKING);
                    case STALLS -> go(Pc.WAIT);
                }
            }
            case NEST -> publish(task().other(), SHARED + t * OWN + Own.RING.ordinal(), Pc.DONE);
            case BEGIN_BLOCKING -> {
                add(Shared.BLOCKED, 1);
                if (has(Mutant.BLOCKING_DOES_NOT_SIGNAL)) {
                    go(Pc.WAIT);
                } else {
                    call(Pc.LOOK_ENTRY, Pc.BLOCKING_LOOKED);
                }
            }
            case BLOCKING_LOOKED -> {
                if (sees()) {
                    call(Pc.SIGNAL, Pc.WAIT);
                } else {
                    go(Pc.WAIT);
                }
            }
            case WAIT -> {
                if ((get(Shared.DONE) >> task().other() & 1) == 0) {
                    return false;
                }
                go(task().kind() == Task.Kind.BLOCKS ? Pc.END_BLOCKING : Pc.DONE);
            }
            case END_BLOCKING -> {
                add(Shared.BLOCKED, -1);
                go(Pc.DONE);
            }
            case DONE -> {
                set(Shared.DONE, get(Shared.DONE) | 1 << my(Own.TASK));
                my(Own.TASK, 0);
                go(Pc.UNWATCHED);
            }
            default -> throw new AssertionError(pc);
        }
        return true;
    }

    /** Whether it should go on, after a task. */
    boolean afterTask(Pc pc) {
        switch (pc) {
            case UNWATCHED -> {
                if (get(Shared.UNWATCHED) == 0) {
                    go(Pc.SURPLUS);
                } else {
                    fire(Pc.SURPLUS);
                }
            }
            case SURPLUS -> {
                boolean surplus = get(Shared.AWAKE) - get(Shared.BLOCKED) > get(Shared.LIMIT);
                go(!surplus ? Pc.POLL : has(Mutant.HAND_OVER_AFTER_RETREAT) ? Pc.RETREAT : Pc.HAND_OVER);
            }
            case HAND_OVER -> {
                my(Own.SEEN, my(Own.RING)); // all at once: on their way they are in no queue
                my(Own.RING, 0);
                go(Pc.HANDED);
            }
            case HANDED -> {
                set(Shared.ENTRY, get(Shared.ENTRY) | my(Own.SEEN));
                my(Own.SEEN, 0);
                go(has(Mutant.HAND_OVER_AFTER_RETREAT) ? Pc.RUN : Pc.RETREAT);
            }
            case RETREAT -> {
                if (!lock()) {
                    return false;
                }
                if (get(Shared.AWAKE) - get(Shared.BLOCKED) > get(Shared.LIMIT)) {
                    leaveService();
                    go(Pc.RETREAT_AWAKE);
                } else {
                    unlock();
                    go(Pc.POLL);
                }
            }
            case RETREAT_AWAKE -> {
                add(Shared.AWAKE, -1);
                unlock();
                if (has(Mutant.RETREAT_DOES_NOT_LOOK_AGAIN)) {
                    go(Pc.RUN);
                } else {
                    call(Pc.LOOK_ENTRY, Pc.RETREAT_LOOKED);
                }
            }
            case RETREAT_LOOKED -> {
                Pc after = has(Mutant.HAND_OVER_AFTER_RETREAT) ? Pc.HAND_OVER : Pc.RUN;
                if (sees()) {
                    call(Pc.SIGNAL, after);
                } else {
                    go(after);
                }
            }
            default -> throw new AssertionError(pc);
        }
        return true;
    }

    /** Without work. */
    boolean withoutWork(Pc pc, int choice) {
        switch (pc) {
            case SEARCH -> {
                if (get(Shared.LOCK) != 0) {
                    return false;
                }
                my(Own.BOUND, 0);
                if (choice == 0) {
                    go(Pc.BECOME_IDLE); // SearchHabit says no
                } else if (my(Own.SEARCHES) != 0) {
                    call(Pc.LOOK_ENTRY, Pc.SEARCH_LOOKED);
                } else if (get(Shared.SEARCHING) > 0) {
                    return false; // as if it had said no
                } else {
                    add(Shared.SEARCHING, 1);
                    my(Own.SEARCHES, 1);
                    call(Pc.LOOK_ENTRY, Pc.SEARCH_LOOKED);
                }
            }
            case SEARCH_LOOKED -> {
                if (sees()) {
                    go(Pc.POLL);
                    return choice == 0;
                }
                if (choice == 0) {
                    go(Pc.BECOME_IDLE);
                } else {
                    call(Pc.LOOK_ENTRY, Pc.SEARCH_LOOKED);
                }
            }
            case BECOME_IDLE -> {
                if (setting.stops()) {
                    call(Pc.TRY_TERMINATE, Pc.LEAVE);
                } else {
                    go(Pc.LEAVE);
                }
            }
            case LEAVE -> {
                if (has(Mutant.BECOME_IDLE_LOOKS_TOO_EARLY) && my(Own.NEXT) == 0) {
                    my(Own.NEXT, 1);
                    call(Pc.LOOK_ENTRY, Pc.LEAVE);
                    return true;
                }
                if (!lock()) {
                    return false;
                }
                if (my(Own.SEARCHES) != 0) {
                    add(Shared.SEARCHING, -1);
                    my(Own.SEARCHES, 0);
                }
                go(Pc.LEAVE_SERVICE);
            }
            case LEAVE_SERVICE -> {
                leaveService();
                go(Pc.LEAVE_AWAKE);
            }
            case LEAVE_AWAKE -> {
                add(Shared.AWAKE, -1);
                unlock();
                if (has(Mutant.BECOME_IDLE_LOOKS_TOO_EARLY)) {
                    my(Own.NEXT, 0);
                    go(Pc.IDLE_LOOKED);
                } else if (has(Mutant.BECOME_IDLE_DOES_NOT_LOOK_AGAIN)) {
                    go(Pc.RUN);
                } else {
                    call(Pc.LOOK_ENTRY, Pc.IDLE_LOOKED);
                }
            }
            case IDLE_LOOKED -> {
                if (sees()) {
                    call(Pc.SIGNAL, Pc.RUN);
                } else {
                    go(Pc.RUN);
                }
            }
            case PARK -> {
                if (choice == 1) { // the keep-alive has passed
                    if (get(Shared.THREADS) - get(Shared.EXPIRING) <= setting.core()) {
                        return false;
                    }
                    go(Pc.EXPIRE);
                    return true;
                }
                if (my(Own.PERMIT) == 0) {
                    return false;
                }
                my(Own.PERMIT, 0);
                go(Pc.RUN);
            }
            case EXPIRE -> {
                if (get(Shared.LOCK) != 0) {
                    return false;
                }
                if (state(t) == WorkerState.IDLE && get(Shared.THREADS) - get(Shared.EXPIRING) > setting.core()) {
                    if (!has(Mutant.EXPIRED_STAYS_IDLE)) {
                        removeIdle(t);
                    }
                    my(Own.EXPIRED, 1);
                    add(Shared.EXPIRING, 1);
                    state(t, WorkerState.ENDING);
                    set(Shared.LIMIT, Math.max(setting.core(), get(Shared.LIMIT) - 1));
                }
                go(Pc.RUN);
            }
            default -> throw new AssertionError(pc);
        }
        return true;
    }

    Task task() {
        return setting.tasks().get(my(Own.TASK));
    }

    /** Takes task {@code choice} out of a queue, or goes on when that is empty. */
    boolean poll(int queue, int choice, Pc otherwise) {
        if (choice == setting.tasks().size()) {
            go(otherwise);
            return v[queue] == 0;
        }
        if ((v[queue] >> choice & 1) == 0) {
            return false;
        }
        v[queue] &= (byte) ~(1 << choice);
        my(Own.BOUND, 0);
        my(Own.TASK, choice);
        go(my(Own.SEARCHES) != 0 ? Pc.FOUND : Pc.EXECUTE);
        return true;
    }

    void leaveService() {
        if (get(Shared.FINISHING) != 0) {
            state(t, WorkerState.ENDING);
        } else if (get(Shared.WATCHER) == 0 && (get(Shared.ARMED) != 0 || get(Shared.TIMER) != 0)) {
            set(Shared.WATCHER, t);
            set(Shared.UNWATCHED, 0);
            state(t, WorkerState.WATCHING);
        } else {
            pushIdle(t);
            state(t, WorkerState.IDLE);
        }
    }

    /** WorkerPool.fireTimers, Crew.timersFired: fires the timer if it is due. */
    void fire(Pc after) {
        if (get(Shared.TIMER) == 2) {
            set(Shared.TIMER, 0);
            set(Shared.UNWATCHED, 0);
            publish(setting.timed(), Shared.ENTRY.ordinal(), after);
        } else {
            if (get(Shared.TIMER) == 0) {
                set(Shared.UNWATCHED, 0);
            }
            go(after);
        }
    }
}
