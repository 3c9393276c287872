// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

/** A contender, set up for one workload. One thread feeds it and closes it. */
interface Subject extends AutoCloseable {
    /** Hands over every event of the workload, in order. May return before the events ran. */
    void process(Workload workload);

    /** Ends the subject's threads; everything handed over has run. */
    @Override
    void close();
}
