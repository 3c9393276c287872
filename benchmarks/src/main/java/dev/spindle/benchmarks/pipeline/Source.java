// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import java.util.function.Consumer;

/** Fills events with consecutive numbers, for the one publisher. */
final class Source implements Consumer<Event> {
    private final boolean timed;
    private long next;

    /** @param timed whether each event is told when it was published */
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

    /** How many events were filled. */
    long filled() {
        return next;
    }
}
