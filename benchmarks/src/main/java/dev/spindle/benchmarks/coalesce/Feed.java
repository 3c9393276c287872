// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import java.util.function.Consumer;

/** A contender, fed by producers. */
interface Feed extends AutoCloseable {
    /** Makes {@code tick} the latest of its key. By any producer. */
    void update(Tick tick);

    /** Waits until everything was shown. Called when all producers have ended, by the thread that closes. */
    void finish() throws InterruptedException;

    /** Ends the contender's threads. */
    @Override
    void close();

    /** Makes a contender that shows the latest ticks to {@code screen}, never two of one key at once. */
    interface Maker {
        Feed open(int keys, Consumer<Tick> screen);
    }
}
