// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

/** What a contender made for one workload. One thread feeds it and closes it. */
interface Sink extends AutoCloseable {
    /** Hands over every event of the workload, in order. May return before the events ran. */
    void process(Workload workload);

    /** Ends its threads; everything handed over has run. */
    @Override
    void close();
}
