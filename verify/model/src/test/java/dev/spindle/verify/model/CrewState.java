// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

/** A state of the crew as one of its threads sees it: the variables, and how that thread goes from place to place. */
class CrewState {
    static final int SHARED = Shared.values().length;
    static final int OWN = Own.values().length;
    static final Pc[] PCS = Pc.values();
    static final int NOT_STARTED = 2; // instead of a permit

    final CrewModel model;
    final Setting setting;
    final int producers;
    final int threads;
    final int t;
    byte[] v;

    CrewState(CrewModel model, byte[] state, int thread) {
        this.model = model;
        setting = model.setting();
        producers = setting.producers().length;
        threads = setting.threads();
        v = state;
        t = thread;
    }

    /** Returns how many bytes a state has. */
    static int size(Setting setting) {
        return SHARED + setting.threads() * OWN;
    }

    // ------------------------------------------------------------ variables

    int get(Shared x) {
        return v[x.ordinal()];
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
        return WorkerState.values()[own(worker, Own.STATE)];
    }

    void state(int worker, WorkerState to) {
        own(worker, Own.STATE, to.ordinal());
    }

    boolean lives(int worker) {
        return pc(worker) != Pc.DEAD || own(worker, Own.PERMIT) == NOT_STARTED;
    }

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

    /** Returns the worker that became idle last, or 0: the first threads are producers. */
    int pollIdle() {
        if (get(Shared.IDLES) == 0) {
            return 0;
        }
        add(Shared.IDLES, -1);
        int at = Shared.IDLE0.ordinal() + get(Shared.IDLES);
        int worker = v[at];
        v[at] = 0;
        return worker;
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

    // ------------------------------------------------------------ control

    void go(Pc to) {
        my(Own.PC, to.ordinal());
    }

    void call(Pc routine, Pc back) {
        my(Own.RETURN, back.ordinal());
        go(routine);
    }

    void back() {
        my(Own.BOUND, 0);
        my(Own.SEEN, 0);
        my(Own.WHO, 0);
        goBack();
    }

    /** Returns, and forgets from where: what differs only in what nobody reads is one state. */
    void goBack() {
        go(PCS[my(Own.RETURN)]);
        my(Own.RETURN, 0);
    }

    boolean lock() {
        if (get(Shared.LOCK) != 0) {
            return false;
        }
        set(Shared.LOCK, 1);
        return true;
    }

    void unlock() {
        set(Shared.LOCK, 0);
    }

    boolean has(Mutant mutant) {
        return model.has(mutant);
    }
}
