// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import dev.spindle.kafka.ledger.DoneRanges;
import dev.spindle.kafka.ledger.OffsetLedger;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Commits the ledgers of the assigned partitions. Confined to the poll loop. */
final class Committer<K, V> {
    /*
     * A commit is computed anew from the ledgers each time, so a failed one needs no repetition of its own, and the
     * same one may be made any number of times.
     *
     * Committer-1  The committed offset of a partition is the watermark of its ledger: the first unfinished offset or,
     *     if there is none, the position of the client, which is past transaction markers and aborted records (Q2). The
     *     position is read between polls alone, since within a poll, even in a rebalance, it may be past records that
     *     the poll has not returned.
     * Committer-2  An offset below the one that was committed last is not committed.
     */

    /** The longest wait for a single commit. Not measured. */
    private static final Duration LONGEST_COMMIT = Duration.ofSeconds(5);

    private final Consumer<byte[], byte[]> consumer;
    private final Works<K, V> works;
    private final Lease lease;
    private final long intervalNanos;
    private final int maxMetadata;
    private final Runnable onRenewal;
    private long next;
    private final Log.Often log = new Log.Often();
    private boolean pending;
    private boolean trustsPositions;

    /**
     * Creates a committer.
     *
     * @param onRenewal called after each commit that has succeeded
     */
    Committer(
            Consumer<byte[], byte[]> consumer,
            Works<K, V> works,
            Lease lease,
            long intervalNanos,
            int maxMetadata,
            long now,
            Runnable onRenewal) {
        this.consumer = consumer;
        this.works = works;
        this.lease = lease;
        this.intervalNanos = intervalNanos;
        this.maxMetadata = maxMetadata;
        this.onRenewal = onRenewal;
        next = now;
    }

    /** What is to be committed for a partition. */
    private record Point(long offset, String text, boolean isShort) {}

    /** Returns the time in nanoseconds until the next commit is due; not positive if it is. */
    long remaining(long now) {
        return next - now;
    }

    /** Begins a commit if it is due and something has changed, or if the lease should be renewed. */
    void commitIfDue(long now) {
        if (remaining(now) > 0) {
            return;
        }
        next = now + intervalNanos;
        if (pending) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = offsets(works.assigned(), lease.isOld(now));
        if (offsets.isEmpty()) {
            return;
        }
        pending = true;
        try {
            consumer.commitAsync(offsets, (committed, failure) -> {
                pending = false;
                if (failure == null) {
                    succeeded(committed, now);
                } else {
                    failed(failure, now);
                }
            });
        } catch (KafkaException e) {
            pending = false;
            failed(e, now);
        }
    }

    /**
     * Commits {@code of}, and waits for the commit for at most {@code most} nanoseconds. Returns false if the commit
     * has failed.
     */
    boolean commitSync(Collection<PartitionWork<K, V>> of, long most, long now, boolean unchanged) {
        Map<TopicPartition, OffsetAndMetadata> offsets = offsets(of, unchanged);
        if (offsets.isEmpty()) {
            return true;
        }
        try {
            Duration limit = Duration.ofNanos(Math.max(most, 1));
            consumer.commitSync(offsets, limit.compareTo(LONGEST_COMMIT) < 0 ? limit : LONGEST_COMMIT);
        } catch (KafkaException e) {
            failed(e, now);
            return false;
        }
        succeeded(offsets, now);
        return true;
    }

    private Map<TopicPartition, OffsetAndMetadata> offsets(Collection<PartitionWork<K, V>> of, boolean unchanged) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (PartitionWork<K, V> work : of) {
            Point point = point(work);
            if (point != null
                    && (unchanged || point.offset != work.committed || !point.text.equals(work.committedText))) {
                offsets.put(work.partition, new OffsetAndMetadata(point.offset, point.text));
                works.totals.metadataOmitted += point.isShort ? 1 : 0;
            }
        }
        return offsets;
    }

    private @Nullable Point point(PartitionWork<K, V> work) {
        OffsetLedger ledger = work.ledger;
        long position = position(work);
        if (ledger.unfinished() == 0) {
            if (position < 0) {
                return null;
            }
            ledger.skipTo(position);
        }
        long offset = ledger.watermark(position); // Committer-1
        if (offset < work.committed) { // Committer-2
            return null;
        }
        if (maxMetadata == 0) {
            return new Point(offset, "", false);
        }
        DoneRanges done = DoneRanges.between(ledger.unfinishedOffsets(), ledger.next(), work.earlier);
        String text = done.encode(offset, maxMetadata);
        return new Point(offset, text == null ? "" : text, text == null);
    }

    /**
     * Sets whether the positions of the client are those after the records that were taken in. Within a poll, and after
     * a poll or an intake that has failed, the client may be past records that were not.
     */
    void trustPositions(boolean trust) {
        trustsPositions = trust;
    }

    /** Returns the offset up to which all records were taken in; -1 if it is not known. */
    long position(PartitionWork<K, V> work) {
        if (trustsPositions) { // Committer-1
            work.position = Math.max(work.ledger.next(), clientPosition(work));
        }
        return Math.max(work.ledger.next(), work.position);
    }

    /** Returns the position of the client; -1 if it is not known. */
    long clientPosition(PartitionWork<K, V> work) {
        try {
            return consumer.position(work.partition, Duration.ZERO);
        } catch (KafkaException | IllegalStateException e) { // poll reports the reason
            return -1;
        }
    }

    private void succeeded(Map<TopicPartition, OffsetAndMetadata> committed, long sent) {
        works.totals.commits++;
        committed.forEach((partition, offset) -> {
            PartitionWork<K, V> work = works.of(partition);
            if (work != null && offset.offset() >= work.committed) {
                work.committed = offset.offset();
                work.committedText = offset.metadata();
            }
        });
        lease.renew(sent);
        onRenewal.run();
    }

    private void failed(Exception failure, long now) {
        works.totals.failedCommits++;
        log.warn("a commit has failed, and a later one will replace it", failure, now);
    }

    /** Returns the committed offsets by the names of the partitions. */
    static <K, V> Map<String, Long> committed(List<PartitionWork<K, V>> works) {
        Map<String, Long> committed = new HashMap<>();
        for (PartitionWork<K, V> work : works) {
            if (work.committed >= 0) {
                committed.put(work.partition.toString(), work.committed);
            }
        }
        return committed;
    }
}
