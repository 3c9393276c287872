// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import java.time.Duration;
import java.util.List;

/**
 * Counts of a {@link KeyedConsumer}, as the poll loop has seen them last: the loop refreshes them each time that it has
 * polled, at least every 100 ms unless it waits in a rebalance. Totals begin at the start of the consumer. Immutable.
 */
public final class ConsumerStats {
    /** The counts in progress; written by the poll loop alone. */
    static final class Totals {
        long polled;
        long done;
        long superseded;
        long skipped;
        long deadLetters;
        long refusedDeadLetters;
        long failedAttempts;
        long fenced;
        long dropped;
        long unreadable;
        long alreadyDone;
        long commits;
        long failedCommits;
        long metadataOmitted;
        long metadataIgnored;
        long rebalances;
        long inFlight;
        long bytes;
        int running;
        int parkedKeys;
        boolean full;

        Totals copy() {
            Totals copy = new Totals();
            copy.polled = polled;
            copy.done = done;
            copy.superseded = superseded;
            copy.skipped = skipped;
            copy.deadLetters = deadLetters;
            copy.fenced = fenced;
            copy.dropped = dropped;
            copy.unreadable = unreadable;
            copy.alreadyDone = alreadyDone;
            copy.commits = commits;
            copy.failedCommits = failedCommits;
            copy.metadataOmitted = metadataOmitted;
            copy.metadataIgnored = metadataIgnored;
            copy.rebalances = rebalances;
            copy.inFlight = inFlight;
            copy.bytes = bytes;
            copy.full = full;
            return copy;
        }
    }

    private final String name;
    private final Totals totals;
    private final List<PartitionStats> partitions;

    ConsumerStats(String name, Totals totals, List<PartitionStats> partitions) {
        this.name = name;
        this.totals = totals;
        this.partitions = List.copyOf(partitions);
    }

    /** Returns the name of the consumer. */
    public String name() {
        return name;
    }

    /** Returns the number of records that were taken in. */
    public long polled() {
        return totals.polled;
    }

    /** Returns the number of records that are done: handled, superseded, skipped, or written as dead letters. */
    public long done() {
        return totals.done;
    }

    /** Returns the number of records that a newer record of their key has superseded. */
    public long superseded() {
        return totals.superseded;
    }

    /** Returns the number of records that {@link FailurePolicy#skip} has skipped. */
    public long skipped() {
        return totals.skipped;
    }

    /** Returns the number of acknowledged dead letters. */
    public long deadLetters() {
        return totals.deadLetters;
    }

    /** Returns the number of sends of dead letters that were refused, and were or will be repeated. */
    public long refusedDeadLetters() {
        return totals.refusedDeadLetters;
    }

    /** Returns the number of failed attempts. */
    public long failedAttempts() {
        return totals.failedAttempts;
    }

    /**
     * Returns the number of records that were taken in and will not be acknowledged, because their partition was
     * revoked or lost first.
     */
    public long fenced() {
        return totals.fenced;
    }

    /** Returns the number of polled records that were dropped, because their partition was not assigned. */
    public long dropped() {
        return totals.dropped;
    }

    /** Returns the number of records whose bytes or key could not be read. */
    public long unreadable() {
        return totals.unreadable;
    }

    /** Returns the number of polled records that commit metadata of an earlier owner has shown as done. */
    public long alreadyDone() {
        return totals.alreadyDone;
    }

    /** Returns the number of successful commits, each of one or more partitions. */
    public long commits() {
        return totals.commits;
    }

    /** Returns the number of failed commits, which later commits replace. */
    public long failedCommits() {
        return totals.failedCommits;
    }

    /**
     * Returns the number of offsets that were committed without the ranges above them, because the ranges did not fit
     * into the metadata.
     */
    public long metadataOmitted() {
        return totals.metadataOmitted;
    }

    /** Returns the number of partitions whose commit metadata was foreign or broken, and was ignored. */
    public long metadataIgnored() {
        return totals.metadataIgnored;
    }

    /** Returns the number of calls of the rebalance listener. */
    public long rebalances() {
        return totals.rebalances;
    }

    /** Returns the number of records in memory: taken in, and neither done nor parked. */
    public long inFlight() {
        return totals.inFlight;
    }

    /** Returns the size of the records in memory, in bytes of their serialized keys and values. */
    public long bytes() {
        return totals.bytes;
    }

    /** Returns the number of calls of the handler, or of its open stages, in progress. */
    public int running() {
        return totals.running;
    }

    /** Returns the number of parked keys. */
    public int parkedKeys() {
        return totals.parkedKeys;
    }

    /** Returns true if the intake is paused because a bound in records or bytes is reached. */
    public boolean isFull() {
        return totals.full;
    }

    /** Returns the sum of the known lags of the partitions. */
    public long lag() {
        return partitions.stream()
                .mapToLong(PartitionStats::lag)
                .filter(lag -> lag > 0)
                .sum();
    }

    /** Returns the longest time since an unfinished record was taken in; zero if there is none. */
    public Duration oldestAge() {
        return partitions.stream()
                .map(PartitionStats::oldestAge)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** Returns the assigned partitions, in the order of their topics and numbers. */
    public List<PartitionStats> partitions() {
        return partitions;
    }

    /** Returns a line for a log. */
    @Override
    public String toString() {
        return "consumer " + name + "[" + totals.polled + " polled, " + totals.done + " done, " + totals.inFlight
                + " in flight, " + totals.failedAttempts + " failed attempts, lag " + lag() + ", oldest " + oldestAge()
                + ", " + partitions.size() + " partitions]";
    }
}
