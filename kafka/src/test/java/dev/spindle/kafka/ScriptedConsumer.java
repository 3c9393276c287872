// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The client's own consumer for tests, which also does what a broker does seldom: refuse, time out, return oddly. */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // they wait in no lock
final class ScriptedConsumer extends MockConsumer<byte[], byte[]> {
    /** A commit that has succeeded. */
    record Commit(boolean sync, Map<TopicPartition, OffsetAndMetadata> offsets) {}

    final List<Commit> commits = new CopyOnWriteArrayList<>();
    final Queue<RuntimeException> syncFailures = new ConcurrentLinkedQueue<>();
    final Queue<RuntimeException> pollFailures = new ConcurrentLinkedQueue<>();
    final List<String> pauses = new CopyOnWriteArrayList<>();
    volatile @Nullable Exception asyncFailure;
    volatile UnaryOperator<ConsumerRecords<byte[], byte[]>> afterPoll = records -> records;
    volatile boolean left;
    volatile @Nullable ConsumerRebalanceListener listener;
    private final Map<TopicPartition, Long> next = new HashMap<>();

    ScriptedConsumer() {
        super("earliest");
    }

    static TopicPartition partition(int number) {
        return new TopicPartition("topic", number);
    }

    /** Runs {@code code} within the next poll. */
    void inPoll(Runnable code) {
        schedulePollTask(code);
    }

    /** Assigns partitions of the topic within the next poll, instead of all earlier ones. */
    void assign(Integer... numbers) {
        inPoll(() -> assignNow(numbers));
    }

    void assignNow(Integer... numbers) {
        List<TopicPartition> partitions = new ArrayList<>();
        Map<TopicPartition, Long> beginnings = new HashMap<>();
        for (int number : numbers) {
            partitions.add(partition(number));
            beginnings.put(partition(number), 0L);
        }
        updateBeginningOffsets(beginnings);
        rebalance(partitions);
    }

    /** Adds a record within the next poll. */
    void add(int partition, @Nullable String key, @Nullable String value) {
        inPoll(() -> addNow(partition, key, value));
    }

    void addNow(int partition, @Nullable String key, @Nullable String value) {
        long offset = next.getOrDefault(partition(partition), 0L);
        next.put(partition(partition), offset + 1);
        addRecord(record(partition, offset, key, value));
    }

    static ConsumerRecord<byte[], byte[]> record(
            int partition, long offset, @Nullable String key, @Nullable String value) {
        return new ConsumerRecord<>("topic", partition, offset, bytes(key), bytes(value));
    }

    private static byte @Nullable [] bytes(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the offset of {@code partition} that was committed last, or -1. */
    long committedOffset(int partition) {
        long offset = -1;
        for (Commit commit : commits) {
            OffsetAndMetadata of = commit.offsets.get(partition(partition));
            offset = of == null ? offset : of.offset();
        }
        return offset;
    }

    @Override
    public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
        this.listener = listener;
        super.subscribe(topics, listener);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        RuntimeException failure = pollFailures.poll();
        if (failure != null) {
            throw failure;
        }
        ConsumerRecords<byte[], byte[]> records = afterPoll.apply(super.poll(timeout));
        if (records.isEmpty()) {
            LockSupport.parkNanos(1_000_000);
        }
        return records;
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
        RuntimeException failure = syncFailures.poll();
        if (failure != null) {
            throw failure;
        }
        super.commitSync(offsets, timeout);
        commits.add(new Commit(true, Map.copyOf(offsets)));
    }

    @Override
    public void commitAsync(Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
        Exception failure = asyncFailure;
        if (failure != null) {
            callback.onComplete(offsets, failure);
            return;
        }
        commits.add(new Commit(false, Map.copyOf(offsets)));
        super.commitAsync(offsets, callback);
    }

    @Override
    public void pause(Collection<TopicPartition> partitions) {
        pauses.add("pause " + partitions.size());
        super.pause(partitions);
    }

    @Override
    public void resume(Collection<TopicPartition> partitions) {
        pauses.add("resume " + partitions.size());
        super.resume(partitions);
    }

    /** Calls the listener, as the client does. */
    @Override
    @SuppressWarnings("deprecation") // overrides what the loop calls
    public void close(Duration timeout) {
        Set<TopicPartition> assigned = assignment();
        if (!assigned.isEmpty()) {
            Objects.requireNonNull(listener).onPartitionsRevoked(assigned);
        }
        left = true;
        super.close(timeout);
    }
}
