// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import dev.spindle.kafka.ledger.DoneRanges;
import dev.spindle.kafka.ledger.OffsetLedger;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * One assignment of a partition: its records that are in work, and what it has committed. If the partition is revoked
 * and assigned again, it has another object, so whatever still ends of the old assignment reaches no ledger that is
 * committed.
 */
final class PartitionWork<K, V> implements BooleanSupplier {
    /*
     * field      writers            readers             mode
     * returned   ends of calls      the poll loop       a stack: push by CAS, taken as a whole by getAndSet, so that an
     *                                                   end takes no lock, allocates nothing, and wakes no thread
     * aside      turns              the poll loop       atomic; an estimate for drains
     * fenced     the poll loop      turns               volatile: false, true
     * others     the poll loop      the poll loop; stats()  plain; racy for stats()
     *
     * PartitionWork-1  A record is in memory of this assignment from submitted() until the poll loop takes it from
     *     `returned`, and is pushed there once. So `outstanding` is 0 only if no call is left.
     * PartitionWork-2  The ledger is written by the poll loop alone, and by no record that is taken after
     *     `isLeft`. So a late completion commits nothing.
     */
    final TopicPartition partition;
    final OffsetLedger ledger = new OffsetLedger();
    final DoneRanges earlier;
    private final AtomicReference<@Nullable PolledRecord<K, V>> returned = new AtomicReference<>();
    private final AtomicInteger aside = new AtomicInteger();
    private volatile boolean fenced;

    boolean isFresh = true; // assigned by the poll that has not returned yet
    boolean isLeft; // committed for the last time
    int outstanding;
    int parked;
    int unfinished; // of the ledger, for stats()
    long oldest; // of the ledger, for stats()
    long position = -1;
    long committed;

    @Nullable
    String committedText;

    long lag = -1;

    /**
     * Creates an assignment.
     *
     * @param committed the offset that an earlier owner has committed, or -1
     * @param text the metadata of that offset
     * @param earlier what is done above that offset
     */
    PartitionWork(TopicPartition partition, long committed, @Nullable String text, DoneRanges earlier) {
        this.partition = partition;
        this.committed = committed;
        committedText = text;
        this.earlier = earlier;
    }

    /** Prevents the begin of further calls. */
    void fence() {
        fenced = true;
    }

    /** Returns true if no further call begins. */
    @Override
    public boolean getAsBoolean() {
        return fenced;
    }

    void countAside(int records) {
        if (records != 0) {
            aside.addAndGet(records);
        }
    }

    /** Notes that a record was submitted. */
    void submitted() {
        outstanding++;
    }

    /** Returns true if nothing is left but records that wait for a time or an event. */
    boolean isQuiet() {
        return outstanding - aside.get() <= 0;
    }

    /** Called by any thread. */
    void push(PolledRecord<K, V> record) {
        PolledRecord<K, V> before;
        do {
            before = returned.get();
            record.next = before;
        } while (!returned.compareAndSet(before, record));
    }

    /** Takes the records that have been pushed, linked by {@code next}. */
    @Nullable
    PolledRecord<K, V> takeReturned() {
        return returned.get() == null ? null : returned.getAndSet(null); // PartitionWork-1
    }
}
