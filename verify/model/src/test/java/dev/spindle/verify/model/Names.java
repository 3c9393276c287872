// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Maps states that differ only in names to one state: the names of workers, and of tasks that are alike. The successors
 * of a state do not depend on names, unless workers are visited in their order, as those with run queues are.
 */
@SuppressWarnings("EnumOrdinal") // a state is an array, and its enums are places and values in it
final class Names {
    private final Setting setting;
    private final int producers;
    private final int threads;
    private final boolean sortsWorkers;
    private final int[] alike;

    Names(Setting setting) {
        this.setting = setting;
        producers = setting.producers().size();
        threads = setting.threads();
        sortsWorkers = !setting.usesRings();
        alike = IntStream.range(0, setting.tasks().size())
                .filter(task -> (setting.alike() >> task & 1) != 0)
                .toArray();
    }

    byte[] canonical(byte[] state) {
        byte[] sorted = sortsWorkers ? sortWorkers(state) : state.clone();
        sortTasks(sorted);
        return sorted;
    }

    // ------------------------------------------------------------ workers

    private byte[] sortWorkers(byte[] state) {
        int[] order = new int[threads - producers]; // insertion sort: there are four
        for (int w = producers; w < threads; w++) {
            int i = w - producers;
            for (; i > 0 && compare(state, w, order[i - 1]) < 0; i--) {
                order[i] = order[i - 1];
            }
            order[i] = w;
        }
        byte[] name = new byte[threads];
        byte[] sorted = state.clone();
        for (int i = 0; i < order.length; i++) {
            name[order[i]] = (byte) (producers + i);
            System.arraycopy(state, own(order[i]), sorted, own(producers + i), WorkerSetModelState.OWN);
        }
        for (int i = Shared.IDLE0.ordinal(); i < Shared.IDLES.ordinal(); i++) {
            rename(sorted, i, name);
        }
        for (int t = 0; t <= threads; t++) {
            rename(sorted, own(t) + Own.TARGET.ordinal(), name);
        }
        return sorted;
    }

    private static void rename(byte[] state, int at, byte[] name) {
        if (state[at] != 0) {
            state[at] = name[state[at]];
        }
    }

    private static int own(int thread) {
        return WorkerSetModelState.SHARED + thread * WorkerSetModelState.OWN;
    }

    private int compare(byte[] state, int one, int other) {
        for (int i = 0; i < WorkerSetModelState.OWN; i++) {
            boolean tells = i != Own.TARGET.ordinal() && i != Own.TASK.ordinal();
            int difference = state[own(one) + i] - state[own(other) + i];
            if (tells && difference != 0) {
                return difference;
            }
        }
        int difference = idle(state, one) - idle(state, other);
        difference = difference != 0 ? difference : kind(state, one) - kind(state, other);
        return difference != 0 ? difference : namedBy(state, one) - namedBy(state, other);
    }

    private static int idle(byte[] state, int worker) {
        for (int i = Shared.IDLE0.ordinal(); i < Shared.IDLES.ordinal(); i++) {
            if (state[i] == worker) {
                return i;
            }
        }
        return 0;
    }

    /** Returns 0 for a worker without a task, 1 for one with an interchangeable task, else the number of its task. */
    private int kind(byte[] state, int worker) {
        int task = state[own(worker) + Own.TASK.ordinal()];
        return task == 0 ? 0 : (setting.alike() >> (task - 1) & 1) != 0 ? 1 : task + 1;
    }

    /** Returns the threads that refer to a worker, in an order that depends on names as little as possible. */
    private int namedBy(byte[] state, int worker) {
        int by = 0;
        for (int t = 0; t <= threads; t++) {
            if (state[own(t) + Own.TARGET.ordinal()] == worker) {
                by += 256 * (1 + state[own(t) + Own.PC.ordinal()]);
            }
        }
        return by;
    }

    // ------------------------------------------------------------ tasks

    private void sortTasks(byte[] state) {
        if (alike.length < 2) {
            return;
        }
        int[] name = new int[setting.tasks().size()]; // the new name of each task
        Arrays.setAll(name, task -> task);
        int[] order = new int[alike.length];
        for (int n = 0; n < alike.length; n++) {
            int where = whereabouts(state, alike[n]) << 3 | alike[n];
            int i = n;
            for (; i > 0 && where < order[i - 1]; i--) {
                order[i] = order[i - 1];
            }
            order[i] = where;
        }
        boolean same = true;
        for (int n = 0; n < alike.length; n++) {
            name[order[n] & 7] = alike[n];
            same &= (order[n] & 7) == alike[n];
        }
        if (same) {
            return;
        }
        renameSet(state, Shared.DONE.ordinal(), name);
        renameSet(state, Shared.ENTRY.ordinal(), name);
        for (int t = 0; t <= threads; t++) {
            renameSet(state, own(t) + Own.RING.ordinal(), name);
            if (state[own(t)] == Pc.HANDED.ordinal()) {
                renameSet(state, own(t) + Own.SEEN.ordinal(), name);
            }
            renameOne(state, own(t) + Own.TASK.ordinal(), name);
            renameOne(state, own(t) + Own.LATE.ordinal(), name);
        }
    }

    private int whereabouts(byte[] state, int task) {
        if ((state[Shared.DONE.ordinal()] >> task & 1) != 0) {
            return holder(state, task);
        }
        if ((state[Shared.ENTRY.ordinal()] >> task & 1) != 0) {
            return 1 << 12 | holder(state, task);
        }
        for (int t = 0; t <= threads; t++) {
            if ((state[own(t) + Own.RING.ordinal()] >> task & 1) != 0) {
                return (2 + t) << 12 | holder(state, task);
            }
        }
        return holder(state, task) != 0 ? 15 << 12 | holder(state, task) : 16 << 12;
    }

    /** Returns the threads that run a task, or have just submitted it. */
    private int holder(byte[] state, int task) {
        int set = 0;
        for (int t = 0; t <= threads; t++) {
            boolean holds =
                    state[own(t) + Own.TASK.ordinal()] == task + 1 || state[own(t) + Own.LATE.ordinal()] == task + 1;
            set |= holds ? 1 << t : 0;
        }
        return set;
    }

    private static void renameSet(byte[] state, int at, int[] name) {
        int set = 0;
        for (int task = 0; task < name.length; task++) {
            set |= (state[at] >> task & 1) << name[task];
        }
        state[at] = (byte) set;
    }

    private static void renameOne(byte[] state, int at, int[] name) {
        if (state[at] != 0) {
            state[at] = (byte) (name[state[at] - 1] + 1);
        }
    }
}
