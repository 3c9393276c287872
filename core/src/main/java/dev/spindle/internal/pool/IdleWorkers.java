// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import org.jspecify.annotations.Nullable;

/**
 * The idle workers, in two stacks: the worker that became idle last is woken first. An auxiliary is woken only if no
 * other worker is idle, so that the keep-alive of auxiliaries can pass. The workers are linked, so that a worker can
 * always become idle, even if there is no memory. Guarded by the worker set's lock.
 */
final class IdleWorkers {
    private final WorkerRegistry registry;
    private final Stack core = new Stack();
    private final Stack auxiliaries = new Stack();
    private int size;

    /** A stack of workers that are linked by {@code idleBelow} and {@code idleAbove}. */
    private static final class Stack {
        @Nullable
        Worker top;
    }

    /** Creates an empty set of workers of the given registry. */
    IdleWorkers(WorkerRegistry registry) {
        this.registry = registry;
    }

    void add(Worker worker) {
        Stack stack = of(worker);
        worker.idleBelow = stack.top;
        if (stack.top != null) {
            stack.top.idleAbove = worker;
        }
        stack.top = worker;
        registry.idle[worker.place] = true;
        registry.idleCount = ++size;
    }

    void remove(Worker worker) {
        Worker above = worker.idleAbove;
        Worker below = worker.idleBelow;
        if (above != null) {
            above.idleBelow = below;
        } else {
            of(worker).top = below;
        }
        if (below != null) {
            below.idleAbove = above;
        }
        worker.idleAbove = null;
        worker.idleBelow = null;
        registry.idle[worker.place] = false;
        registry.idleCount = --size;
    }

    private Stack of(Worker worker) {
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

    private @Nullable Worker poll(Stack stack, boolean any) {
        Worker last = stack.top; // one factory makes the threads of a stack, so all are virtual or none
        if (last == null || (!any && last.isVirtual())) {
            return null;
        }
        remove(last);
        return last;
    }

    /** Unparks all workers. They stay in the set. */
    void unparkAll() {
        unparkAll(core);
        unparkAll(auxiliaries);
    }

    private static void unparkAll(Stack stack) {
        for (Worker worker = stack.top; worker != null; worker = worker.idleBelow) {
            worker.unpark();
        }
    }

    int size() {
        return size;
    }
}
