// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The parked workers, in the order in which they are woken: the worker that parked last comes first. Auxiliaries come
 * after all others, so that auxiliaries expire first. Guarded by the worker set's lock. No method needs memory.
 */
final class IdleWorkers {
    private final ArrayDeque<Worker> core;
    private final ArrayDeque<Worker> auxiliaries;

    /** Creates an empty set for up to {@code max} workers. */
    IdleWorkers(int max) {
        core = new ArrayDeque<>(max + 1);
        auxiliaries = new ArrayDeque<>(max + 1);
    }

    void add(Worker worker) {
        of(worker).addLast(worker);
    }

    void remove(Worker worker) {
        of(worker).remove(worker);
    }

    private ArrayDeque<Worker> of(Worker worker) {
        return worker.auxiliary ? auxiliaries : core;
    }

    /** Takes the worker to be woken next, or null. Takes a worker with a virtual thread only if {@code any} is true. */
    @Nullable
    Worker poll(boolean any) {
        Worker worker = poll(core, any);
        return worker != null ? worker : poll(auxiliaries, any);
    }

    private static @Nullable Worker poll(ArrayDeque<Worker> workers, boolean any) {
        Worker last = workers.peekLast(); // one factory makes all: either all are virtual or none
        return last == null || any || !last.isVirtual() ? workers.pollLast() : null;
    }

    /** Unparks all workers, which stay in the set. */
    void unparkAll() {
        unparkAll(core);
        unparkAll(auxiliaries);
    }

    private static void unparkAll(ArrayDeque<Worker> workers) {
        for (int i = workers.size(); i > 0; i--) { // an iterator needs memory
            Worker worker = workers.removeFirst();
            worker.unpark();
            workers.addLast(worker);
        }
    }

    int size() {
        return core.size() + auxiliaries.size();
    }
}
