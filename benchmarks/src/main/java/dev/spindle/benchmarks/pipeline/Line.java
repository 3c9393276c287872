// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import java.util.List;
import java.util.function.Consumer;

/** A running pipeline of some contender. */
interface Line extends AutoCloseable {
    /** Publishes a number of events, and waits while there is no room for one. Called by one thread. */
    void publish(Source source, int events) throws InterruptedException;

    /** Ends the pipeline's threads; events that are under way may be lost. */
    @Override
    void close();

    interface Maker {
        /**
         * Starts a pipeline.
         *
         * @param works the work of each stage of the shape, in the same order
         */
        Line open(Shape shape, List<Work> works, int ring);
    }

    /** An item that goes through the stages. All fields are plain, since the hand-over has to publish them. */
    final class Event {
        long number;
        long value;
        long left;
        long right;
        long publishedAt;
    }

    /** Fills events with consecutive numbers, for the one publisher. */
    final class Source implements Consumer<Event> {
        private final boolean timed;
        private long next;

        /** @param timed true if each event gets the time of its publication */
        Source(boolean timed) {
            this.timed = timed;
        }

        @Override
        public void accept(Event event) {
            event.number = next;
            event.value = next;
            next++;
            if (timed) {
                event.publishedAt = System.nanoTime();
            }
        }

        /** Returns the number of filled events. */
        long filled() {
            return next;
        }
    }
}
