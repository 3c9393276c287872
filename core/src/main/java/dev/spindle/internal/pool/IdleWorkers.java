// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The idle workers, in two stacks: the worker that became idle last is woken first. An auxiliary is woken only if no
 * other worker is idle, so that the keep-alive of auxiliaries can pass. Guarded by the worker set's lock.
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

    /**
     * Removes and returns the worker to be woken next, or returns null. If {@code any} is false, workers with virtual
     * threads stay in the set.
     */
    @Nullable
    Worker poll(boolean any) {
        Worker worker = poll(core, any);
        return worker != null ? worker : poll(auxiliaries, any);
    }

    private static @Nullable Worker poll(ArrayDeque<Worker> workers, boolean any) {
        Worker last = workers.peekLast(); // one factory makes the threads of a stack, so all are virtual or none
        return last == null || any || !last.isVirtual() ? workers.pollLast() : null;
    }

    /** Unparks all workers. They stay in the set. */
    void unparkAll() {
        unparkAll(core);
        unparkAll(auxiliaries);
    }

    private static void unparkAll(ArrayDeque<Worker> workers) {
        for (Worker worker : workers) {
            worker.unpark();
        }
    }

    int size() {
        return core.size() + auxiliaries.size();
    }
}
