// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A scheduler without threads and without a clock of its own: tests give turns by hand, on one thread. */
public final class HandScheduler extends SchedulerStub {
    public final ArrayDeque<Object> ready = new ArrayDeque<>();
    public final List<Throwable> failures = new ArrayList<>();

    /** Whether {@link #hasReady} says that others wait, whoever they are. */
    public boolean others;

    public long now;

    /** How often something was made ready. */
    public int readies;

    /** How often it was for others than the worker that did it. */
    public int readiesForOthers;

    @Override
    public void ready(Object entry) {
        readies++;
        ready.add(entry);
    }

    @Override
    public void readyForOthers(ReadyEntry entry) {
        readiesForOthers++;
        ready(entry);
    }

    @Override
    public void readyAgain(ReadyEntry entry) {
        ready.add(entry);
    }

    @Override
    public boolean hasReady() {
        return others || !ready.isEmpty();
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public void failed(@Nullable Object key, Runnable task, Throwable failure) {
        failures.add(failure);
    }

    /** Gives one turn to the oldest ready entry. */
    public void turn() {
        ((ReadyEntry) ready.remove()).turn(new WorkerContext(this, Long.MAX_VALUE));
    }

    /** Gives turns until nothing is ready. */
    public void drain() {
        while (!ready.isEmpty()) {
            turn();
        }
    }
}
