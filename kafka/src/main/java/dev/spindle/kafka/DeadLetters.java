// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Writes records that cannot be handled to topics of dead letters. Thread-safe. */
final class DeadLetters<K, V> implements Calls.DeadLetterSink<K, V> {
    private final Producer<byte[], byte[]> producer;

    DeadLetters(Map<String, Object> configs) {
        this(new KafkaProducer<>(configs));
    }

    DeadLetters(Producer<byte[], byte[]> producer) {
        this.producer = producer;
    }

    @Override
    public void send(
            Call<K, V> call, Throwable failure, FailurePolicy policy, Consumer<@Nullable Throwable> acknowledged) {
        ConsumerRecord<byte[], byte[]> source = ((PolledRecord<K, V>) call).source;
        String topic = Objects.requireNonNull(
                Objects.requireNonNull(policy.topic).apply(call), "the topic of a dead letter is null");
        // With the time of the source, the retention of the topic might delete an old record's letter at once.
        ProducerRecord<byte[], byte[]> letter = new ProducerRecord<>(topic, source.key(), source.value());
        Headers headers = letter.headers();
        source.headers().forEach(headers::add);
        add(headers, "topic", source.topic());
        add(headers, "partition", String.valueOf(source.partition()));
        add(headers, "offset", String.valueOf(source.offset()));
        add(headers, "timestamp", String.valueOf(source.timestamp()));
        add(headers, "attempts", String.valueOf(call.attempt()));
        add(headers, "exception", failure.getClass().getName());
        add(headers, "message", String.valueOf(failure.getMessage()));
        Future<?> unused = producer.send(letter, (metadata, refusal) -> acknowledged.accept(refusal));
    }

    private static void add(Headers headers, String name, String value) {
        headers.add("spindle." + name, value.getBytes(StandardCharsets.UTF_8));
    }

    void close(Duration timeout) {
        producer.close(timeout);
    }
}
