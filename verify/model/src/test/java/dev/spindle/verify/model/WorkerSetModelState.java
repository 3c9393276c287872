// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

import dev.spindle.internal.pool.wake.WorkerState;

/**
 * A state of the worker set as one of its threads sees it: the variables, and that thread's moves between places.
 */
@SuppressWarnings("EnumOrdinal") // a state is an array, and its enums are places and values in it
class WorkerSetModelState {
    static final int SHARED = Shared.values().length;
    static final int OWN = Own.values().length;
    static final Pc[] PCS = Pc.values();
    static final WorkerState[] STATES = WorkerState.values();
    static final int NOT_STARTED = 2; // instead of a permit
    static final int IN_FACTORY = 3;

    final WorkerSetModel model;
    final Setting setting;
    final int producers;
    final int threads;
    final int clock; // the last thread
    final int t;
    byte[] v;

    WorkerSetModelState(WorkerSetModel model, byte[] state, int thread) {
        this.model = model;
        setting = model.setting();
        producers = setting.producers().size();
        threads = setting.threads();
        clock = threads;
        v = state;
        t = thread;
    }

    /** Returns the number of bytes of a state. */
    static int size(Setting setting) {
        return SHARED + (setting.threads() + 1) * OWN;
    }

    // ------------------------------------------------------------ variables

    int get(Shared x) {
        return v[x.ordinal()];
    }

    boolean is(Shared x) {
        return get(x) != 0;
    }

    void set(Shared x, int value) {
        v[x.ordinal()] = (byte) value;
    }

    void add(Shared x, int more) {
        v[x.ordinal()] += (byte) more;
    }

    int own(int thread, Own x) {
        return v[SHARED + thread * OWN + x.ordinal()];
    }

    void own(int thread, Own x, int value) {
        v[SHARED + thread * OWN + x.ordinal()] = (byte) value;
    }

    int my(Own x) {
        return own(t, x);
    }

    void my(Own x, int value) {
        own(t, x, value);
    }

    Pc pc(int thread) {
        return PCS[own(thread, Own.PC)];
    }

    WorkerState state(int worker) {
        return STATES[own(worker, Own.STATE)];
    }

    void state(int worker, WorkerState to) {
        set(Shared.MISSTEP, is(Shared.MISSTEP) || !state(worker).leadsTo(to) ? 1 : 0);
        own(worker, Own.STATE, to.ordinal());
    }

    boolean searches(int worker) {
        return state(worker) == WorkerState.SEARCHING;
    }

    boolean lives(int worker) {
        return pc(worker) != Pc.DEAD || own(worker, Own.PERMIT) >= NOT_STARTED;
    }

    /** Watch.isOn. */
    boolean isWatchOn() {
        return is(Shared.ARMED) || is(Shared.OWNER_AFFINE) || is(Shared.SOLO);
    }

    /** Returns true if the ready entries are at most one in each run queue. */
    boolean hasOnlySingles() {
        boolean only = !is(Shared.ENTRY);
        for (int w = producers; w < threads; w++) {
            only &= Integer.bitCount(own(w, Own.RING)) <= 1;
        }
        return only;
    }

    boolean hasSurplus() {
        return get(Shared.AWAKE) - get(Shared.BLOCKED) > limit();
    }

    /** Returns the number of unblocked workers that may be awake. */
    int limit() {
        return get(Shared.LIMIT) - (is(Shared.SOLO) ? setting.core() - 1 : 0);
    }

    /** Returns true if an entry is ready. */
    boolean isReady() {
        int ready = get(Shared.ENTRY);
        for (int w = producers; w < threads; w++) {
            ready |= own(w, Own.RING);
        }
        return ready != 0;
    }

    boolean mayExpire() {
        int running = get(Shared.THREADS);
        for (int w = producers; w < threads; w++) {
            running -= lives(w) && state(w) == WorkerState.STARTING ? 1 : 0;
        }
        return running - get(Shared.EXPIRING) > setting.core();
    }

    // ------------------------------------------------------------ the idle workers

    boolean isIdle(int worker) {
        for (int i = 0; i < get(Shared.IDLES); i++) {
            if (v[Shared.IDLE0.ordinal() + i] == worker) {
                return true;
            }
        }
        return false;
    }

    void pushIdle(int worker) {
        v[Shared.IDLE0.ordinal() + get(Shared.IDLES)] = (byte) worker;
        add(Shared.IDLES, 1);
    }

    /** Returns the worker with a platform thread that became idle last, or if {@code any} a virtual one, or 0. */
    int pollIdle(boolean any) {
        int found = 0; // the first threads are producers
        for (int i = 0; i < get(Shared.IDLES); i++) {
            int worker = v[Shared.IDLE0.ordinal() + i];
            boolean virtual = own(worker, Own.VIRTUAL) != 0;
            boolean better = found == 0 || !virtual || own(found, Own.VIRTUAL) != 0;
            found = better && (any || !virtual) ? worker : found;
        }
        if (found != 0) {
            removeIdle(found);
        }
        return found;
    }

    boolean hasIdle(boolean virtual) {
        for (int i = 0; i < get(Shared.IDLES); i++) {
            if ((own(v[Shared.IDLE0.ordinal() + i], Own.VIRTUAL) != 0) == virtual) {
                return true;
            }
        }
        return false;
    }

    void removeIdle(int worker) {
        int to = 0;
        for (int i = 0; i < 3; i++) {
            byte one = v[Shared.IDLE0.ordinal() + i];
            v[Shared.IDLE0.ordinal() + i] = 0;
            if (one != 0 && one != worker) {
                v[Shared.IDLE0.ordinal() + to++] = one;
            }
        }
        set(Shared.IDLES, to);
    }

    // ------------------------------------------------------------ tasks

    /**
     * Returns a task that is interchangeable with {@code task} and was not submitted yet, so that names do not matter.
     */
    int fresh(int task) {
        if ((setting.alike() >> task & 1) == 0) {
            return task;
        }
        int used = get(Shared.ENTRY) | get(Shared.DONE);
        for (int i = 0; i <= clock; i++) {
            used |= own(i, Own.RING) | 1 << own(i, Own.TASK) >> 1 | 1 << own(i, Own.LATE) >> 1;
        }
        return Integer.numberOfTrailingZeros(setting.alike() & ~used);
    }

    boolean isDone(int tasks) {
        return (get(Shared.DONE) & tasks) == tasks;
    }

    void done(int task) {
        set(Shared.DONE, get(Shared.DONE) | 1 << task);
    }

    int place(Shared x) {
        return x.ordinal();
    }

    int ring(int worker) {
        return SHARED + worker * OWN + Own.RING.ordinal();
    }

    // ------------------------------------------------------------ control

    void go(Pc to) {
        my(Own.PC, to.ordinal());
    }

    void call(Pc routine, Pc back) {
        if (my(Own.RETURN4) != 0) {
            throw new AssertionError("too deep at " + routine);
        }
        my(Own.RETURN4, my(Own.RETURN3));
        my(Own.RETURN3, my(Own.RETURN2));
        my(Own.RETURN2, my(Own.RETURN));
        my(Own.RETURN, back.ordinal());
        go(routine);
    }

    /** Returns from a routine and clears its locals: states that differ only in variables that are not read are one. */
    void back() {
        my(Own.BOUND, 0);
        my(Own.SEEN, 0);
        my(Own.TARGET, 0);
        goBack();
    }

    void goBack() {
        go(PCS[my(Own.RETURN)]);
        my(Own.RETURN, my(Own.RETURN2));
        my(Own.RETURN2, my(Own.RETURN3));
        my(Own.RETURN3, my(Own.RETURN4));
        my(Own.RETURN4, 0);
    }

    boolean isLocked() {
        return is(Shared.LOCK);
    }

    boolean lock() {
        if (isLocked()) {
            return false;
        }
        set(Shared.LOCK, 1);
        return true;
    }

    void unlock() {
        set(Shared.LOCK, 0);
    }

    boolean sees() {
        boolean seen = my(Own.SEEN) != 0;
        my(Own.SEEN, 0);
        return seen;
    }

    boolean has(Mutant mutant) {
        return model.has(mutant);
    }
}
