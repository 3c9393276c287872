// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

import dev.spindle.internal.pool.wake.WorkerState;
import org.jspecify.annotations.Nullable;

/** The invariants of every state, and those of states in which no thread runs code of the worker set. */
final class WorkerSetInvariants {
    private final WorkerSetModelState s;

    WorkerSetInvariants(WorkerSetModelState state) {
        s = state;
    }

    @Nullable
    String fault() {
        if (s.get(Shared.THREADS) > s.setting.max()) {
            return "WorkerSet-6: more threads than the maximum";
        }
        if (s.isLocked()) {
            return null;
        }
        String fault = ofWorkers();
        fault = fault != null ? fault : ofTheEnd();
        return fault == null && isAtRest() ? atRest() : fault;
    }

    private @Nullable String ofWorkers() {
        if (s.is(Shared.MISSTEP)) {
            return "WorkerStates-1: a transition that is not in the table";
        }
        int awake = 0;
        int coming = 0;
        int searching = 0;
        int expired = 0;
        for (int w = s.producers; w < s.threads; w++) {
            if (s.lives(w)) {
                WorkerState state = s.state(w);
                coming += state.comes ? 1 : 0;
                awake += state.isInService() && !state.comes ? 1 : 0;
                searching += s.searches(w) ? 1 : 0;
                expired += state == WorkerState.EXPIRED ? 1 : 0;
                if (state == WorkerState.IDLE != s.isIdle(w)) {
                    return "WorkerStates-2: an idle worker outside the stack, or another one in it";
                }
            }
        }
        boolean right =
                awake == s.get(Shared.AWAKE) && coming == s.get(Shared.COMING) && searching == s.get(Shared.SEARCHING);
        if (!right) {
            return "WorkerStates-1: a count is wrong: " + awake + " are awake, " + coming + " come, " + searching
                    + " search";
        }
        if (expired > 0 && !s.is(Shared.FINISHING) && s.get(Shared.THREADS) - expired < s.setting.core()) {
            return "T1: fewer threads than the core after a keep-alive";
        }
        if (s.is(Shared.SOLO) && !s.is(Shared.AWAKE)) {
            return "WorkerSet-11: one worker runs alone, and none is awake";
        }
        int limit = s.get(Shared.LIMIT);
        return limit < s.setting.core() || limit > s.setting.max() ? "WorkerSet-4: the limit is " + limit : null;
    }

    private @Nullable String ofTheEnd() {
        if (!s.is(Shared.TERMINATED)) {
            return null;
        }
        for (int w = s.producers; w < s.threads; w++) {
            if (s.lives(w) && s.state(w).isInService()) {
                return "WorkerSet-6: a worker after the end";
            }
        }
        return null;
    }

    /** Returns true if every thread is in users' code, or parked. */
    private boolean isAtRest() {
        for (int t = 0; t <= s.clock; t++) {
            boolean rests = switch (s.pc(t)) {
                case COME -> s.state(t).comes;
                case START -> !s.is(Shared.FINISHING); // otherwise its submit is checked again
                case PARK -> s.state(t) == WorkerState.IDLE;
                case PARK_WATCHING -> s.own(t, Own.PERMIT) == 0;
                case WATCH_ARMED -> s.isWatchOn(); // sleeps until a look
                case DEAD,
                        P_NEXT,
                        P_DO,
                        P_STOP,
                        NEST,
                        NEST_PUBLISH,
                        BEGIN_BLOCKING,
                        WAIT,
                        END_BLOCKING,
                        WAIT_THEN,
                        DONE -> true;
                default -> false;
            };
            if (!rests) {
                return false;
            }
        }
        return true;
    }

    private @Nullable String atRest() {
        int unblocked = s.get(Shared.AWAKE) - s.get(Shared.BLOCKED);
        boolean more = s.is(Shared.IDLES) || (s.get(Shared.THREADS) < s.setting.max() && !s.is(Shared.TERMINATED));
        boolean left = s.is(Shared.OWNER_AFFINE);
        if (s.isReady() && !s.is(Shared.TERMINATED) && !(left && s.hasOnlySingles())) {
            if (unblocked < s.limit() && s.hasIdle(false)) {
                return "WorkerSet-4: work is ready, and an idle worker was not woken";
            }
            if (s.is(Shared.COMING)) {
                return null;
            }
            if (unblocked < s.limit() && more) {
                return "WorkerSet-4: work is ready, and no worker was woken";
            }
            if (!s.is(Shared.ARMED)) {
                return "WorkerSet-5: work is ready, and the watch is not armed";
            }
        }
        if (s.pc(s.clock) == Pc.PARK_WATCHING) {
            int until = s.own(s.clock, Own.UNTIL);
            if (s.isWatchOn() && s.own(s.clock, Own.LOOKS) == 0) {
                return "ClockThread-1: the watch is on, and the clock thread sleeps for a timer";
            }
            if (s.is(Shared.TIMERS)
                    && (until == 0 || Integer.numberOfTrailingZeros(s.get(Shared.TIMERS)) + 1 < until)) {
                return "WorkerSet-7: the clock thread sleeps past a timer";
            }
        }
        boolean over = s.is(Shared.STOPPING)
                && s.pc(0) == Pc.DEAD
                && !s.isReady()
                && s.get(Shared.AWAKE) + s.get(Shared.COMING) == 0;
        if (over && !s.is(Shared.FINISHING) && s.isDone(s.setting.timed())) {
            return "the pool has no work after a shutdown, and no thread ends it";
        }
        return null;
    }
}
