// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import dev.spindle.Stats;
import org.jspecify.annotations.Nullable;

/**
 * A part of the library, such as a channel, that reports show: its figures, and the threads and stages that wait at the
 * part. A part is registered with the {@link SpindleParts} of a pool.
 */
public interface SpindlePart {
    /** The kind of a part. */
    enum Kind {
        /** A spindle; its figures are those of a {@code SpindleStats}. */
        SPINDLE,
        /** A key space. */
        KEYS,
        /** All strands of a spindle. */
        STRANDS,
        /** A logical executor. */
        EXECUTOR,
        /** A group of actors. */
        ACTORS,
        /** A channel. */
        CHANNEL,
        /** A pipeline. */
        PIPELINE,
        /** A stage of a pipeline, which is its owner. */
        STAGE,
        /** An endpoint, with the counts of its bulkhead. */
        ENDPOINT,
        /** A bulkhead. */
        BULKHEAD,
        /** A breaker; the maximum concurrency is 0 while the breaker is open. */
        BREAKER,
        /** An HTTP gateway. */
        GATEWAY,
        /** A route of an HTTP gateway, which is its owner. */
        ROUTE,
        /** A consumer of a log, such as Kafka's. */
        CONSUMER,
        /**
         * A partition of a log, whose owner is its consumer. The lag is pending, the unfinished records are running,
         * the parked ones are dropped, and the overdrafts are the milliseconds since the oldest unfinished record was
         * taken in.
         */
        PARTITION
    }

    /** Collects the figures of parts. */
    interface FigureList {
        /**
         * Adds figures, whose name is the name of the part.
         *
         * @param owner the name of the part to which the part belongs, or null
         */
        void add(Kind kind, @Nullable String owner, Stats figures);

        /**
         * Adds figures with the durations of the completed calls. This default implementation omits the durations.
         *
         * @param bounds the upper bounds of the buckets, in milliseconds, in ascending order; not changed later
         * @param calls the number of calls in each bucket; the last bucket has no upper bound
         */
        default void add(Kind kind, @Nullable String owner, Stats figures, long[] bounds, long[] calls) {
            add(kind, owner, figures);
        }
    }

    /**
     * Adds the figures of this part, and of its own parts, to {@code list}. A part that has ended adds nothing. Called
     * without a lock held; runs no user code.
     */
    void listFigures(FigureList list);

    /** Adds the current waits to {@code list}. Called without a lock held. */
    default void listWaits(WaitList list) {}
}
