// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.neighbours;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Counts tasks of a key that run while another task of the key runs, or after a task with a larger number. */
final class Watch {
    private static final long WORK_NANOS = 300_000;

    private final Map<Object, State> states = new ConcurrentHashMap<>();
    private final LongAdder ran = new LongAdder();
    private final LongAdder overlaps = new LongAdder();
    private final LongAdder overtakings = new LongAdder();

    private static final class State {
        private final AtomicInteger running = new AtomicInteger();
        private final AtomicInteger last = new AtomicInteger(-1);
        private final AtomicInteger arrived = new AtomicInteger();
    }

    /** Returns the number of the next task of {@code key}, for keys whose tasks are numbered where they arrive. */
    int arrive(Object key) {
        return state(key).arrived.getAndIncrement();
    }

    /** Runs a task that works for a while, longer for every third number. */
    void run(Object key, int number) {
        State state = state(key);
        if (state.running.getAndIncrement() > 0) {
            overlaps.increment();
        }
        if (state.last.getAndSet(number) > number) {
            overtakings.increment();
        }
        if (number % 3 == 0) {
            LockSupport.parkNanos(WORK_NANOS);
        }
        state.running.decrementAndGet();
        ran.increment();
    }

    /** Returns how many tasks have run. */
    long ran() {
        return ran.sum();
    }

    /** Returns how many tasks ran at the same time as another of their key. */
    long overlaps() {
        return overlaps.sum();
    }

    /** Returns how many tasks were overtaken, or ran at the same time as another of their key. */
    long disorder() {
        return overlaps.sum() + overtakings.sum();
    }

    private State state(Object key) {
        return states.computeIfAbsent(key, absent -> new State());
    }
}
