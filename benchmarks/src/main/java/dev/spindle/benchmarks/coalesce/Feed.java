// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import java.util.function.Consumer;

/** A contender, fed by producers. */
interface Feed extends AutoCloseable {
    /** Makes {@code tick} the latest of its key; called by any producer. */
    void update(Tick tick);

    /** Waits until all ticks were shown; called when all producers have ended. */
    void finish() throws InterruptedException;

    @Override
    default void close() {}

    /** Creates a contender that shows the latest ticks to {@code screen}, never two of one key at once. */
    interface Maker {
        Feed open(int keys, Consumer<Tick> screen);
    }

    /**
     * An update. All fields are plain, since the hand-over has to publish them.
     *
     * @param number the number of this update among those of its producer, from 1
     */
    record Tick(int key, int producer, long number) {}
}
