// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.soak;

/** The tasks that one submitter hands to one lane: they must begin in the order in which they were numbered. */
final class Order {
    private final String name;
    private long issued;
    // Written by one task at a time, as long as the lane keeps its promise.
    private volatile long latest = -1;

    Order(String name) {
        this.name = name;
    }

    /** The number of the next task; for the one submitter. */
    long next() {
        return issued++;
    }

    /** Notes that a task begins; returns whether no later one has begun before it. */
    boolean begins(long number) {
        boolean kept = number > latest;
        latest = Math.max(latest, number);
        return kept;
    }

    @Override
    public String toString() {
        return name;
    }
}
