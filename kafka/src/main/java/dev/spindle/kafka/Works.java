// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import dev.spindle.kafka.ConsumerStats.Totals;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The assigned partitions of a consumer, and those that it has left while calls of theirs still ran. Confined to the
 * poll loop, apart from {@link #assigned}.
 */
final class Works<K, V> {
    final Totals totals = new Totals();
    private final Map<TopicPartition, PartitionWork<K, V>> byPartition = new HashMap<>();
    private final List<PartitionWork<K, V>> leaving = new ArrayList<>();
    private volatile List<PartitionWork<K, V>> assigned = List.of();

    /** Returns the assigned partitions. May be called by any thread. */
    List<PartitionWork<K, V>> assigned() {
        return assigned;
    }

    /** Returns the assignment of {@code partition}, or null. */
    @Nullable
    PartitionWork<K, V> of(TopicPartition partition) {
        return byPartition.get(partition);
    }

    /** Returns the assignments of {@code partitions}, without those that are none. */
    List<PartitionWork<K, V>> of(Collection<TopicPartition> partitions) {
        List<PartitionWork<K, V>> found = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            PartitionWork<K, V> work = byPartition.get(partition);
            if (work != null) {
                found.add(work);
            }
        }
        return found;
    }

    /** Adds an assignment, which replaces an earlier one of its partition. */
    void add(PartitionWork<K, V> work) {
        PartitionWork<K, V> before = byPartition.put(work.partition, work);
        if (before != null) {
            leave(before);
        }
        publish();
    }

    /** Fences {@code works}, and removes them from the assigned partitions. */
    void remove(Collection<PartitionWork<K, V>> works) {
        for (PartitionWork<K, V> work : works) {
            if (byPartition.remove(work.partition, work)) {
                leave(work);
            }
        }
        publish();
    }

    private void leave(PartitionWork<K, V> work) {
        work.fence(); // PollLoop-1
        work.isLeft = true; // PartitionWork-2
        collect(work);
        totals.fenced += work.parked;
        leaving.add(work);
    }

    private void publish() {
        assigned = List.copyOf(byPartition.values());
    }

    /** Enters what has ended into the ledgers, and into the totals. */
    void collect() {
        for (PartitionWork<K, V> work : assigned) {
            collect(work);
        }
        for (Iterator<PartitionWork<K, V>> left = leaving.iterator(); left.hasNext(); ) {
            PartitionWork<K, V> work = left.next();
            collect(work);
            if (work.outstanding == 0) {
                left.remove();
            }
        }
    }

    private void collect(PartitionWork<K, V> work) {
        PolledRecord<K, V> record = work.takeReturned();
        if (record == null) {
            return;
        }
        while (record != null) {
            PolledRecord<K, V> next = record.next;
            record.next = null;
            collect(work, record);
            record = next;
        }
        observe(work);
    }

    private void collect(PartitionWork<K, V> work, PolledRecord<K, V> record) {
        work.outstanding--;
        totals.inFlight--;
        totals.bytes -= record.bytes();
        Call.Outcome outcome = record.outcome;
        if (work.isLeft || outcome == Call.Outcome.FENCED || outcome == null) { // PartitionWork-2
            totals.fenced++;
        } else if (outcome == Call.Outcome.PARKED) {
            work.parked++;
        } else {
            work.ledger.done(record.block, record.slot);
            totals.done++;
            totals.superseded += outcome == Call.Outcome.SUPERSEDED ? 1 : 0;
            totals.skipped += outcome == Call.Outcome.SKIPPED ? 1 : 0;
            totals.deadLetters += outcome == Call.Outcome.DEAD_LETTER ? 1 : 0;
        }
    }

    /** Makes the state of the ledger known to other threads. */
    void observe(PartitionWork<K, V> work) {
        work.unfinished = work.ledger.unfinished();
        work.oldest = work.ledger.oldest(0);
    }

    /** Returns true if {@code works} have no record left but those that wait for a time or an event. */
    static <K, V> boolean areQuiet(Collection<PartitionWork<K, V>> works) {
        for (PartitionWork<K, V> work : works) {
            if (!work.isQuiet()) {
                return false;
            }
        }
        return true;
    }
}
