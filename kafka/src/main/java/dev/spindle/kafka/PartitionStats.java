// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import java.time.Duration;

/**
 * The state of an assigned partition, as the poll loop has seen it last. Immutable.
 */
public final class PartitionStats {
    private final String topic;
    private final int partition;
    private final long position;
    private final long committed;
    private final long lag;
    private final long unfinished;
    private final long parked;
    private final Duration oldestAge;
    private final boolean paused;

    PartitionStats(
            String topic,
            int partition,
            long position,
            long committed,
            long lag,
            long unfinished,
            long parked,
            Duration oldestAge,
            boolean paused) {
        this.topic = topic;
        this.partition = partition;
        this.position = position;
        this.committed = committed;
        this.lag = lag;
        this.unfinished = unfinished;
        this.parked = parked;
        this.oldestAge = oldestAge;
        this.paused = paused;
    }

    /** Returns the topic. */
    public String topic() {
        return topic;
    }

    /** Returns the partition of the topic. */
    public int partition() {
        return partition;
    }

    /** Returns the offset of the next record that will be taken in; -1 if the position is unknown yet. */
    public long position() {
        return position;
    }

    /** Returns the offset that was committed last, by this or an earlier owner; -1 if there is none. */
    public long committed() {
        return committed;
    }

    /**
     * Returns the number of offsets from the watermark to the end of the partition; -1 if the end is unknown yet. In
     * topics with transactions, the number includes their markers.
     */
    public long lag() {
        return lag;
    }

    /** Returns the number of records that were taken in and are not done, {@link #parked} ones included. */
    public long unfinished() {
        return unfinished;
    }

    /** Returns the number of unfinished records whose key {@link FailurePolicy#parkKey} has parked. */
    public long parked() {
        return parked;
    }

    /** Returns the time since the oldest unfinished record was taken in; zero if there is none. */
    public Duration oldestAge() {
        return oldestAge;
    }

    /** Returns true if the intake is paused, because the consumer is full or closes. */
    public boolean isPaused() {
        return paused;
    }

    /** Returns a line for a log. */
    @Override
    public String toString() {
        return topic + "-" + partition + "[position " + position + ", committed " + committed + ", lag " + lag
                + ", unfinished " + unfinished + ", parked " + parked + ", oldest " + oldestAge
                + (paused ? ", paused]" : "]");
    }
}
