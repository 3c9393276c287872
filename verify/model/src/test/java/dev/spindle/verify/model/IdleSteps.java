// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

import dev.spindle.internal.pool.wake.WorkerState;

/** The steps of a worker without work: it searches, becomes idle, parks, expires and ends. */
class IdleSteps extends WorkerSteps {
    IdleSteps(WorkerSetModel model, byte[] state, int thread) {
        super(model, state, thread);
    }

    boolean withoutWork(Pc pc, int choice) {
        switch (pc) {
            case SEARCH -> {
                my(Own.BOUND, 0);
                if (my(Own.LEFT) != 0 && setting.search() != Setting.Search.SPINS) {
                    go(Pc.BECOME_IDLE);
                    return choice == 0;
                }
                my(Own.LEFT, 0);
                return search(choice);
            }
            case SEARCH_LOOKED -> {
                if (sees()) {
                    go(Pc.POLL);
                    return choice == 0;
                }
                boolean on = setting.search() == Setting.Search.SPINS && !is(Shared.STOPPING) && !hasSurplus();
                if (choice == 0) {
                    go(on ? Pc.SEARCH_ON : Pc.BECOME_IDLE);
                } else if (setting.search() == Setting.Search.SOMETIMES) {
                    call(Pc.LOOK_ENTRY, Pc.SEARCH_LOOKED);
                } else {
                    return false;
                }
            }
            case SEARCH_ON -> call(Pc.LOOK_ENTRY, Pc.SEARCH_LOOKED);
            case BECOME_IDLE -> go(Pc.LEAVE);
            case LEAVE -> {
                if (has(Mutant.BECOME_IDLE_LOOKS_TOO_EARLY) && my(Own.NEXT) == 0) {
                    my(Own.NEXT, 1);
                    call(Pc.LOOK_ENTRY, Pc.LEAVE);
                    return true;
                }
                if (!lock()) {
                    return false;
                }
                if (my(Own.LEFT) != 0) {
                    leaveOwnerAffine();
                    go(Pc.LEAVE_SERVICE);
                } else {
                    leaveService();
                    go(Pc.LEAVE_AWAKE);
                }
            }
            case LEAVE_SERVICE -> {
                leaveService();
                go(Pc.LEAVE_AWAKE);
            }
            case LEAVE_AWAKE -> {
                add(Shared.AWAKE, -1);
                if (!is(Shared.AWAKE) && !has(Mutant.LAST_TO_BECOME_IDLE_STAYS_SOLO)) {
                    set(Shared.SOLO, 0);
                }
                unlock();
                if (has(Mutant.BECOME_IDLE_LOOKS_TOO_EARLY)) {
                    my(Own.NEXT, 0);
                    go(Pc.IDLE_LOOKED);
                } else if (has(Mutant.BECOME_IDLE_DOES_NOT_LOOK_AGAIN)) {
                    go(Pc.RUN);
                } else if (setting.leaves()) {
                    go(Pc.LEAVE_LOOK);
                } else {
                    call(Pc.LOOK_ENTRY, Pc.IDLE_LOOKED);
                }
            }
            case LEAVE_LOOK -> {
                my(Own.LEFT, 0);
                my(Own.MORE, get(Shared.OWNER_AFFINE));
                if (is(Shared.OWNER_AFFINE) && has(Mutant.LEAVES_WITHOUT_LOOKING_FOR_MORE)) {
                    my(Own.MORE, 0);
                    go(Pc.RUN);
                } else {
                    call(Pc.LOOK_ENTRY, Pc.IDLE_LOOKED);
                }
            }
            case IDLE_LOOKED -> signalIfSeen(has(Mutant.LAST_TO_BECOME_IDLE_ENDS_NOTHING) ? Pc.RUN : Pc.RETREATED);
            case PARK -> {
                return expire();
            }
            default -> throw new AssertionError(pc);
        }
        return true;
    }

    /** Before a worker leaves service, under the lock; the clock thread looks sooner. */
    private void leaveOwnerAffine() {
        set(Shared.OWNER_AFFINE, is(Shared.FINISHING) ? get(Shared.OWNER_AFFINE) : 1);
        unpark(clock);
    }

    private boolean search(int choice) {
        if (choice == 0) { // AdaptiveSpin decides against it, or another worker searches
            go(Pc.BECOME_IDLE);
            return setting.search() != Setting.Search.SPINS
                    || (!searches(t) && is(Shared.SEARCHING))
                    || is(Shared.STOPPING);
        }
        if (setting.search() == Setting.Search.NEVER) {
            return false;
        }
        if (!searches(t)) { // WorkerSet.beginSearch
            if (isLocked() || is(Shared.SEARCHING)) {
                return false;
            }
            add(Shared.SEARCHING, 1);
            state(t, WorkerState.SEARCHING);
        }
        call(Pc.LOOK_ENTRY, Pc.SEARCH_LOOKED);
        return true;
    }

    /** WorkerSet.expire: the keep-alive has passed. */
    private boolean expire() {
        if (isLocked() || !mayExpire() || get(Shared.EXPIRED) == setting.expiries() || state(t) != WorkerState.IDLE) {
            return false;
        }
        add(Shared.EXPIRED, 1);
        if (!has(Mutant.EXPIRED_STAYS_IDLE)) {
            removeIdle(t);
        }
        add(Shared.EXPIRING, has(Mutant.EXPIRE_IS_NOT_COUNTED) ? 0 : 1);
        state(t, WorkerState.EXPIRED);
        int least = has(Mutant.LIMIT_FALLS_BELOW_CORE) ? 0 : setting.core();
        set(Shared.LIMIT, Math.max(least, get(Shared.LIMIT) - 1));
        go(Pc.ENDED);
        return true;
    }

    /** The end of the pool, and of a worker. */
    boolean end(Pc pc) {
        switch (pc) {
            case TRY_TERMINATE -> {
                if (is(Shared.STOPPING) && isDone(setting.timed())) {
                    if (has(Mutant.ENDS_WITHOUT_A_LOOK)) {
                        go(Pc.FINISH);
                    } else {
                        call(Pc.LOOK_ENTRY, Pc.TERMINATE_LOOKED);
                    }
                } else {
                    back();
                }
            }
            case TERMINATE_LOOKED -> {
                if (sees()) {
                    back();
                } else {
                    go(Pc.FINISH);
                }
            }
            case FINISH -> {
                return finish();
            }
            case ENDED -> {
                if (isLocked()) {
                    return false;
                }
                add(Shared.THREADS, -1);
                boolean counted = state(t) == WorkerState.EXPIRED && !has(Mutant.EXPIRE_IS_NOT_COUNTED);
                add(Shared.EXPIRING, counted ? -1 : 0);
                state(t, WorkerState.ENDED);
                if (is(Shared.FINISHING) && !is(Shared.THREADS)) {
                    set(Shared.TERMINATED, 1);
                    die();
                } else if (has(Mutant.ENDED_DOES_NOT_SIGNAL)) {
                    die();
                } else {
                    call(Pc.LOOK_ENTRY, Pc.ENDED_LOOKED);
                }
            }
            case ENDED_LOOKED -> signalIfSeen(Pc.DIE);
            case DIE -> die();
            default -> throw new AssertionError(pc);
        }
        return true;
    }

    private boolean finish() {
        if (isLocked()) {
            return false;
        }
        boolean busy = get(Shared.AWAKE) + get(Shared.COMING) > 0 || (isReady() && !has(Mutant.ENDS_WITHOUT_A_LOOK));
        if (busy && !is(Shared.FINISHING)) {
            back(); // a worker that leaves service calls again
            return true;
        }
        set(Shared.FINISHING, 1);
        for (int w = producers; w < threads; w++) {
            if (isIdle(w)) {
                state(w, WorkerState.ENDING);
                unpark(w);
            }
        }
        while (pollIdle(true) != 0) {}
        if (!is(Shared.THREADS)) {
            set(Shared.TERMINATED, 1);
        }
        back();
        return true;
    }

    private void die() {
        my(Own.PERMIT, 0);
        my(Own.STATE, 0);
        my(Own.VIRTUAL, 0);
        my(Own.CAME, 0);
        go(Pc.DEAD);
    }
}
