// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka.testkit;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Writes into a {@link CallJournal} what a consumer polls and commits. It is named in the consumer's properties, so it
 * works with any library that passes them on:
 *
 * <pre>{@code
 * properties.put("interceptor.classes", CheckingInterceptor.class.getName());
 * properties.put(CheckingInterceptor.JOURNAL, "target/consumer-1.journal");
 * }</pre>
 *
 * <p>Kafka's consumer invokes it in the thread that polls. It writes a line for each partition of a poll and of a
 * commit, and blocks for no longer.
 */
public final class CheckingInterceptor implements ConsumerInterceptor<Object, Object> {
    /** The property with the path of the journal. */
    public static final String JOURNAL = "spindle.testkit.journal";

    private @Nullable CallJournal journal;
    private String group = "";

    /** Creates an interceptor, for Kafka's consumer. */
    public CheckingInterceptor() {}

    /** @throws IllegalArgumentException if {@link #JOURNAL} is missing */
    @Override
    public void configure(Map<String, ?> settings) {
        Object path = settings.get(JOURNAL);
        if (path == null) {
            throw new IllegalArgumentException(
                    "the property " + JOURNAL + " is missing; set it to the path of the journal of this process");
        }
        group = String.valueOf(settings.get("group.id"));
        journal = CallJournal.open(Path.of(path.toString()));
    }

    @Override
    public ConsumerRecords<Object, Object> onConsume(ConsumerRecords<Object, Object> records) {
        CallJournal into = Objects.requireNonNull(journal, "configure comes first");
        for (TopicPartition partition : records.partitions()) {
            List<ConsumerRecord<Object, Object>> polled = records.records(partition);
            into.polled(
                    partition.topic(),
                    partition.partition(),
                    polled.get(0).offset(),
                    polled.get(polled.size() - 1).offset(),
                    polled.size());
        }
        return records;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        CallJournal into = Objects.requireNonNull(journal, "configure comes first");
        offsets.forEach((partition, committed) ->
                into.committed(group, partition.topic(), partition.partition(), committed.offset()));
    }

    @Override
    public void close() {
        if (journal != null) {
            journal.close();
        }
    }
}
