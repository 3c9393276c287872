// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import java.util.List;

/** A running pipeline of some contender. */
interface Line extends AutoCloseable {
    /** Publishes so many events; waits while there is no room for one. By one thread. */
    void publish(Source source, int events) throws InterruptedException;

    /** Ends its threads; what is under way may be lost. */
    @Override
    void close();

    /** Makes it. */
    interface Maker {
        /**
         * Starts it.
         *
         * @param works what each stage of the shape does, in the same order
         */
        Line open(Shape shape, List<Work> works, int ring);
    }
}
