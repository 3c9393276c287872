// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

/** A contender, set up for a cell. */
interface Subject extends AutoCloseable {
    /** Makes {@code tick} the latest of its key. By any producer. */
    void update(Tick tick);

    /** Waits until everything was shown. Called when all producers have ended, by the thread that closes. */
    void finish() throws InterruptedException;

    /** Ends the subject's threads. */
    @Override
    void close();
}
