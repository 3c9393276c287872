// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a close of a {@link KeyedConsumer}. Its {@code toString} is a line for a log. Immutable.
 */
public final class ConsumerReport {
    private final long done;
    private final long abandoned;
    private final int running;
    private final Map<String, Long> committed;
    private final boolean ended;
    private final @Nullable Throwable failure;

    ConsumerReport(
            long done,
            long abandoned,
            int running,
            Map<String, Long> committed,
            boolean ended,
            @Nullable Throwable failure) {
        this.done = done;
        this.abandoned = abandoned;
        this.running = running;
        this.committed = Map.copyOf(committed);
        this.ended = ended;
        this.failure = failure;
    }

    /**
     * Returns the number of records that were done during the life of the consumer: handled, superseded, skipped, or
     * written as dead letters.
     */
    public long done() {
        return done;
    }

    /**
     * Returns the number of records that were taken in and will not be acknowledged by this consumer. They are read
     * again by the next owner of their partition. Includes records whose partition was revoked or lost before they were
     * done.
     */
    public long abandoned() {
        return abandoned;
    }

    /** Returns the number of calls of the handler that had not ended when the consumer was closed. */
    public int running() {
        return running;
    }

    /** Returns the last committed offset by partition, named {@code topic-partition}, of the last assignment. */
    public Map<String, Long> committed() {
        return committed;
    }

    /** Returns true if the poll loop has ended and left the group within the time limit. */
    public boolean hasEnded() {
        return ended;
    }

    /** Returns the failure of {@link KeyedConsumer#terminated}; null if the loop has not failed. */
    public @Nullable Throwable failure() {
        return failure;
    }

    /** Returns a line for a log. */
    @Override
    public String toString() {
        return done + " done, " + abandoned + " abandoned, " + running + " running, committed " + committed
                + (ended ? "" : ", the poll loop has not ended")
                + (failure == null ? "" : ", failed by " + failure);
    }
}
