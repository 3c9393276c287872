// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import dev.spindle.Spindle;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** A queue through a topic. */
final class KafkaQueue<K, V> implements KeyedQueue<K, V> {
    /** The longest wait for acknowledgements in a close. Not measured. */
    private static final Duration FLUSH = Duration.ofSeconds(10);

    private final String topic;
    private final Producer<K, V> producer;
    private final KeyedConsumer<K, V> consumer;
    private volatile boolean closed;

    KafkaQueue(Spindle spindle, Map<?, ?> properties, KeyedHandler<K, V> handler) {
        Map<String, Object> configs = new HashMap<>(ConsumerConfigs.copyOf(properties));
        Object named = configs.remove(TOPIC);
        if (named == null || named.toString().isBlank()) {
            throw new IllegalArgumentException(TOPIC + " must be set to the name of a topic, is " + named);
        }
        topic = named.toString();
        producer = new KafkaProducer<>(configs);
        try {
            consumer = KeyedConsumer.builder(spindle, configs, handler)
                    .topics(topic)
                    .name(topic)
                    .start();
        } catch (RuntimeException | Error e) {
            producer.close(Duration.ZERO);
            throw e;
        }
    }

    @Override
    public CompletableFuture<@Nullable Void> send(@Nullable K key, @Nullable V value) {
        if (closed || consumer.terminated().isDone()) {
            throw new IllegalStateException(
                    "the queue of topic " + topic + (closed ? " is closed" : " has stopped: " + consumer.terminated()));
        }
        CompletableFuture<@Nullable Void> accepted = new CompletableFuture<>();
        Future<?> unused = producer.send(new ProducerRecord<>(topic, key, value), (metadata, failure) -> {
            if (failure == null) {
                accepted.complete(null);
            } else {
                accepted.completeExceptionally(failure);
            }
        });
        return accepted;
    }

    @Override
    public void close() {
        closed = true;
        consumer.close();
        producer.close(FLUSH);
    }
}
