// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import dev.spindle.kafka.ConsumerStats.Totals;
import dev.spindle.kafka.ledger.DoneRanges;
import dev.spindle.kafka.ledger.OffsetLedger;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/** Makes polled records into calls, within the bounds in records and bytes. Confined to the poll loop. */
final class Intake<K, V> {
    /*
     * Intake-1  A polled record is taken into the ledger of the present assignment of its partition, or is shown as
     *     done by the metadata of an earlier owner, or the partition is not assigned, or the loop ends. So no commit
     *     passes a record that was not taken in.
     * Intake-2  While the bounds do not admit another poll, all assigned partitions are paused. A pause belongs to an
     *     assignment, so the pauses are set again after each rebalance, those of kept partitions, too.
     */
    private final Consumer<byte[], byte[]> consumer;
    private final Works<K, V> works;
    private final Calls<K, V> calls;
    private final PolledRecord.Membership membership;
    private final Deserializer<? extends K> keys;
    private final Deserializer<? extends V> values;
    private final Order order;
    private final @Nullable Function<? super KeyedRecord<K, V>, ? extends @Nullable Object> extractor;
    private final FailurePolicy onUnreadable;
    private final int maxRecords;
    private final int maxPollRecords;
    private final long maxBytes;
    private final LaneKeys lanes = new LaneKeys();
    private boolean paused;
    private boolean stale;

    Intake(
            Consumer<byte[], byte[]> consumer,
            Works<K, V> works,
            Calls<K, V> calls,
            PolledRecord.Membership membership,
            KeyedConsumerBuilder<K, V> options,
            Deserializer<? extends K> keys,
            Deserializer<? extends V> values,
            int maxPollRecords) {
        this.consumer = consumer;
        this.works = works;
        this.calls = calls;
        this.membership = membership;
        this.keys = keys;
        this.values = values;
        this.maxPollRecords = maxPollRecords;
        order = options.order;
        extractor = options.keyExtractor;
        onUnreadable = options.onUnreadable;
        maxRecords = options.maxRecords;
        maxBytes = options.maxBytes;
    }

    // ---------------------------------------------------------------- bounds

    /** Notes that partitions were assigned. */
    void assigned() {
        stale = true;
    }

    /** Pauses or resumes the assigned partitions, if necessary. */
    void updatePauses(boolean closing) {
        Totals totals = works.totals;
        if (totals.full) {
            totals.full = totals.inFlight > maxRecords / 2 || totals.bytes > maxBytes / 2;
        } else {
            totals.full = totals.inFlight + maxPollRecords > maxRecords || totals.bytes >= maxBytes / 4 * 3;
        }
        boolean pause = totals.full || closing;
        if (pause == paused && !stale) { // Intake-2
            return;
        }
        Set<TopicPartition> all = consumer.assignment();
        if (pause) {
            consumer.pause(all);
        } else {
            consumer.resume(all);
        }
        paused = pause;
        stale = false;
    }

    boolean isPaused() {
        return paused;
    }

    // ---------------------------------------------------------------- records

    /**
     * Takes in what a poll has returned.
     *
     * @param closing true if nothing more is handled
     * @throws RuntimeException if the loop has to end
     */
    void take(ConsumerRecords<byte[], byte[]> polled, Committer<K, V> committer, long now, boolean closing) {
        if (polled.isEmpty()) {
            return;
        }
        for (TopicPartition partition : polled.partitions()) {
            List<ConsumerRecord<byte[], byte[]>> records = polled.records(partition);
            PartitionWork<K, V> work = works.of(partition);
            long end = records.get(records.size() - 1).offset() + 1;
            if (work == null || (work.isFresh && committer.clientPosition(work) < end)) {
                works.totals.dropped += records.size(); // polled before a rebalance that the same poll has ended
            } else {
                take(work, records, now, closing);
            }
        }
    }

    private void take(
            PartitionWork<K, V> assigned, List<ConsumerRecord<byte[], byte[]>> records, long now, boolean closing) {
        PartitionWork<K, V> work = assigned;
        int left = records.size();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            long offset = record.offset();
            if (offset < work.ledger.next()) {
                work = goBack(work, offset);
            }
            if (offset < work.earlier.end(0) && work.earlier.contains(offset)) { // Intake-1
                work.ledger.skipTo(offset + 1);
                works.totals.alreadyDone++;
            } else {
                OffsetLedger.Block block = work.ledger.take(offset, left, now);
                works.totals.polled++;
                if (!closing) {
                    submit(work, record, block);
                }
            }
            left--;
        }
        work.position = Math.max(work.position, work.ledger.next());
        works.observe(work);
    }

    /** Begins a partition anew, whose log was truncated or made again. */
    private PartitionWork<K, V> goBack(PartitionWork<K, V> work, long offset) {
        Log.warn(work.partition + " goes back from offset " + work.ledger.next() + " to " + offset, null);
        PartitionWork<K, V> again = new PartitionWork<>(work.partition, -1, null, DoneRanges.NONE);
        again.isFresh = false;
        works.add(again);
        calls.kickAll();
        return again;
    }

    private void submit(PartitionWork<K, V> work, ConsumerRecord<byte[], byte[]> record, OffsetLedger.Block block) {
        @Nullable K key = null;
        @Nullable V value = null;
        Throwable failure = null;
        try {
            byte[] keyBytes = record.key();
            key = keyBytes == null ? null : keys.deserialize(record.topic(), record.headers(), keyBytes);
            byte[] valueBytes = record.value();
            value = valueBytes == null ? null : values.deserialize(record.topic(), record.headers(), valueBytes);
        } catch (Throwable e) {
            failure = e;
        }
        PolledRecord<K, V> call = new PolledRecord<>(calls, membership, work, record, block, key, value);
        work.submitted();
        works.totals.inFlight++;
        works.totals.bytes += call.bytes();
        try {
            if (failure == null) {
                call.setLane(laneOf(work, call));
                calls.submit(call);
                return;
            }
        } catch (RejectedExecutionException e) {
            call.end(Call.Outcome.FENCED);
            throw e;
        } catch (Throwable e) {
            failure = e; // of the code of the key, which has left nothing in the lane
        }
        call.setLane(null);
        works.totals.unreadable++;
        if (onUnreadable.kind == FailurePolicy.Kind.STOP) {
            call.end(Call.Outcome.FENCED);
            throw new IllegalStateException(
                    "record " + call + " cannot be read; onUnreadable may choose deadLetter or skip", failure);
        }
        calls.submitUnreadable(call, Objects.requireNonNull(failure), onUnreadable);
    }

    private @Nullable Object laneOf(PartitionWork<K, V> work, PolledRecord<K, V> call) {
        return switch (order) {
            case UNORDERED -> null;
            case PARTITION -> work.partition;
            case KEY -> lanes.of(extractor == null ? call.key() : extractor.apply(call));
        };
    }

    /** Closes the deserializers. */
    void close() {
        for (Deserializer<?> deserializer : List.of(keys, values)) {
            try {
                deserializer.close();
            } catch (RuntimeException e) {
                Log.warn("a deserializer could not be closed", e);
            }
        }
    }
}
