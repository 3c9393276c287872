// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.soak;

import java.util.concurrent.atomic.AtomicInteger;

/** How many tasks may be under way at a time: one in a lane, so many in a logical executor. */
final class Limit {
    private final String name;
    private final int most;
    private final AtomicInteger inside = new AtomicInteger();

    Limit(String name, int most) {
        this.name = name;
        this.most = most;
    }

    /** Notes that a task begins; returns whether no more than allowed are under way with it. */
    boolean enter() {
        return inside.incrementAndGet() <= most;
    }

    void leave() {
        inside.decrementAndGet();
    }

    @Override
    public String toString() {
        return name + " (at most " + most + " at once)";
    }
}
