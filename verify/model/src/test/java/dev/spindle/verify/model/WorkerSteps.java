// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

import dev.spindle.internal.pool.wake.WorkerState;

/** The steps of a worker with work: {@code Worker.work} and {@code ReadyQueue.poll}. */
class WorkerSteps extends TimerSteps {
    WorkerSteps(WorkerSetModel model, byte[] state, int thread) {
        super(model, state, thread);
    }

    /** Takes an entry and runs it. */
    boolean work(Pc pc, int choice) {
        switch (pc) {
            case RUN -> go(atStart(t));
            case COME -> { // when its thread has a carrier
                if (isLocked()) {
                    return false;
                }
                come(t, false);
                go(my(Own.CAME) != 0 ? Pc.CAME : Pc.RUN);
            }
            case CAME -> go(hasSurplus() ? Pc.RETREAT : Pc.POLL);
            case POLL -> {
                return poll(choice);
            }
            case POLL_RING -> {
                int at = my(Own.BOUND) == 0 ? producers : my(Own.BOUND);
                my(Own.BOUND, at + 1);
                Pc otherwise = at + 1 == threads ? Pc.SEARCH : Pc.POLL_RING;
                if (choice <= setting.tasks().size()) {
                    return take(ring(at), choice, otherwise);
                }
                my(Own.LEFT, 1);
                go(otherwise);
                return at != t
                        && Integer.bitCount(own(at, Own.RING)) == 1
                        && state(at).isInService();
            }
            case HOLD -> {
                my(Own.RING, my(Own.RING) | my(Own.SEEN));
                my(Own.SEEN, 0);
                if (searches(t) || my(Own.CAME) != 0) {
                    go(Pc.FOUND);
                } else if (has(Mutant.BATCH_HELD_WITHOUT_A_SIGNAL)) {
                    go(Pc.EXECUTE);
                } else {
                    call(Pc.LOOK_ENTRY, Pc.HELD_LOOKED);
                }
            }
            case HELD_LOOKED -> signalIfSeen(Pc.EXECUTE);
            case FOUND -> {
                if (isLocked()) {
                    return false;
                }
                if (searches(t)) {
                    add(Shared.SEARCHING, -1);
                    state(t, WorkerState.WORKING);
                }
                my(Own.CAME, 0);
                if (has(Mutant.FOUND_DOES_NOT_SIGNAL)) {
                    go(Pc.EXECUTE);
                } else {
                    call(Pc.LOOK_ENTRY, Pc.FOUND_LOOKED);
                }
            }
            case FOUND_LOOKED -> signalIfSeen(Pc.EXECUTE);
            case EXECUTE -> {
                switch (task().kind()) {
                    case PLAIN -> go(Pc.DONE);
                    case NESTS -> go(Pc.NEST);
                    case BLOCKS -> go(Pc.BEGIN_BLOCKING);
                    case STALLS -> go(Pc.WAIT);
                    case TURNS -> go(Pc.TURN);
                }
            }
            case NEST -> {
                if (is(Shared.STOPPING)) { // rejected
                    done(task().other());
                    go(Pc.DONE);
                } else {
                    go(Pc.NEST_PUBLISH);
                }
            }
            case NEST_PUBLISH -> publish(task().other(), Pc.DONE);
            case TURN -> {
                int task = 1 << (my(Own.TASK) - 1);
                if ((get(Shared.AGAIN) & task) != 0) {
                    go(Pc.DONE);
                } else {
                    set(Shared.AGAIN, get(Shared.AGAIN) | task);
                    v[home()] |= (byte) task; // WorkerPool.readyAgain
                    my(Own.TASK, 0);
                    go(Pc.READY_AGAIN);
                }
            }
            case READY_AGAIN -> {
                boolean full = get(Shared.AWAKE) - get(Shared.BLOCKED) >= limit();
                if (full && !is(Shared.ARMED) && !has(Mutant.READY_AGAIN_ARMS_NOTHING)) {
                    call(Pc.SIGNAL, Pc.TRY_WORKERS);
                } else {
                    go(Pc.TRY_WORKERS);
                }
            }
            case BEGIN_BLOCKING -> {
                add(Shared.BLOCKED, 1);
                if (has(Mutant.BLOCKING_DOES_NOT_SIGNAL)) {
                    go(Pc.WAIT);
                } else {
                    call(Pc.LOOK_ENTRY, Pc.BLOCKING_LOOKED);
                }
            }
            case BLOCKING_LOOKED -> signalIfSeen(Pc.WAIT);
            case WAIT -> {
                if (!isDone(1 << task().other())) {
                    return false;
                }
                go(task().kind() == Task.Kind.BLOCKS ? Pc.END_BLOCKING : Pc.DONE);
            }
            case END_BLOCKING -> {
                add(Shared.BLOCKED, -1);
                go(task().then() < 0 ? Pc.DONE : Pc.WAIT_THEN);
            }
            case WAIT_THEN -> {
                if (!isDone(1 << task().then())) {
                    return false;
                }
                go(Pc.DONE);
            }
            case DONE -> {
                int task = my(Own.TASK) - 1;
                done(task);
                my(Own.TASK, 0);
                go((setting.timed() >> task & 1) != 0 && setting.stops() ? Pc.DELAYED_DONE : Pc.TRY_WORKERS);
            }
            case DELAYED_DONE -> call(Pc.TRY_TERMINATE, Pc.TRY_WORKERS); // Spindle.delayedEnded
            default -> throw new AssertionError(pc);
        }
        return true;
    }

    void signalIfSeen(Pc back) {
        if (sees()) {
            call(Pc.SIGNAL, back);
        } else {
            go(back);
        }
    }

    /** Watchdog.tryWorkers, which may change the mode. */
    private boolean tryWorkers(int choice) {
        go(Pc.SURPLUS);
        if (choice == 0) {
            return true;
        }
        if (isLocked()) {
            return false;
        }
        if (is(Shared.SOLO)) {
            set(Shared.SOLO, 0);
            call(Pc.LOOK_ENTRY, Pc.TRIED);
            return true;
        }
        set(Shared.SOLO, 1);
        arm();
        unpark(clock);
        boolean some = get(Shared.AWAKE) - get(Shared.BLOCKED) - get(Shared.SEARCHING) > 1;
        return some && get(Shared.LIMIT) == setting.core() && !is(Shared.FINISHING);
    }

    /** After a task. */
    boolean afterTask(Pc pc, int choice) {
        switch (pc) {
            case TRY_WORKERS -> {
                return tryWorkers(choice);
            }
            case TRIED -> signalIfSeen(Pc.SURPLUS);
            case SURPLUS ->
                go(!hasSurplus() ? Pc.POLL : has(Mutant.HAND_OVER_AFTER_RETREAT) ? Pc.RETREAT : Pc.HAND_OVER);
            case HAND_OVER -> {
                my(Own.SEEN, my(Own.RING)); // all at once: until they are in the run queue they are in no queue
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
                if (hasSurplus()) {
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
            case RETREAT_LOOKED -> signalIfSeen(has(Mutant.HAND_OVER_AFTER_RETREAT) ? Pc.HAND_OVER : Pc.RETREATED);
            case RETREATED -> {
                if (setting.stops()) {
                    call(Pc.TRY_TERMINATE, Pc.RUN);
                } else {
                    go(Pc.RUN);
                }
            }
            default -> throw new AssertionError(pc);
        }
        return true;
    }

    Task task() {
        return setting.tasks().get(my(Own.TASK) - 1);
    }

    /** ReadyQueue.poll: takes from any queue, or visits one after the other until one has an entry. */
    private boolean poll(int choice) {
        my(Own.LEFT, 0);
        if (take(place(Shared.ENTRY), choice, setting.usesRings() ? Pc.POLL_RING : Pc.SEARCH)) {
            return true;
        }
        for (int w = producers; w < threads && choice < setting.tasks().size(); w++) {
            if (take(ring(w), choice, Pc.POLL)) {
                return true;
            }
        }
        return false;
    }

    /** Takes task {@code choice} out of a queue, or continues if that is empty. */
    private boolean take(int queue, int choice, Pc otherwise) {
        if (choice == setting.tasks().size()) {
            go(otherwise);
            return v[queue] == 0;
        }
        int wanted = 1 << choice;
        boolean another = (setting.alike() & wanted) != 0 && (setting.alike() & v[queue] & (wanted - 1)) != 0;
        if ((v[queue] & wanted) == 0 || another) {
            return false;
        }
        v[queue] &= (byte) ~wanted;
        my(Own.BOUND, 0);
        my(Own.LEFT, 0);
        my(Own.TASK, choice + 1);
        if (setting.batches() && queue == place(Shared.ENTRY) && v[queue] != 0) {
            my(Own.SEEN, v[queue]); // for a moment they are in no queue
            v[queue] = 0;
            go(Pc.HOLD);
            return true;
        }
        go(searches(t) || my(Own.CAME) != 0 ? Pc.FOUND : Pc.EXECUTE);
        return true;
    }

    /** WorkerStates.leave, but for the count of awake workers. */
    void leaveService() {
        my(Own.CAME, 0);
        add(Shared.SEARCHING, searches(t) ? -1 : 0);
        if (is(Shared.FINISHING)) {
            state(t, WorkerState.ENDING);
        } else {
            pushIdle(t);
            state(t, WorkerState.IDLE);
        }
    }
}
