// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import dev.spindle.Spindle;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A queue of records with keys, whose handler is called as that of a {@link KeyedConsumer}: in the memory of one
 * process, or through a topic of Kafka. A program chooses in one line, so its tests need neither a broker nor Kafka's
 * client on the class path.
 *
 * <pre>{@code
 * KeyedQueue<String, String> queue = KeyedQueue.local(spindle, handler);             // a test
 * KeyedQueue<String, String> queue = KeyedQueue.kafka(spindle, properties, handler); // the cluster
 * }</pre>
 *
 * <p>A failed record gets up to ten attempts, with a backoff from 100 ms to 10 s. Then the queue stops: sends fail, and
 * the record and later ones of its key are not handled. For other policies, build a {@link KeyedConsumer}.
 *
 * <p>Thread-safe. Sends of one thread with equal keys are handled in the order of the sends.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public interface KeyedQueue<K, V> extends AutoCloseable {
    /** The name of the property of {@link #kafka} that holds the topic. */
    String TOPIC = "spindle.topic";

    /**
     * Returns a queue in the memory of this process. Needs no class of Kafka's client. The handler gets records of the
     * topic {@code local}, whose offsets count the sends.
     */
    static <K, V> KeyedQueue<K, V> local(Spindle spindle, KeyedHandler<K, V> handler) {
        return new LocalQueue<>(Objects.requireNonNull(spindle, "spindle"), Objects.requireNonNull(handler, "handler"));
    }

    /**
     * Returns a queue through a topic, which this process writes, and reads as a member of a group. The topic must
     * exist. Other processes with a queue of the same group share the records.
     *
     * @param properties the property {@link #TOPIC}, and those of Kafka's producer and consumer: at least
     *     {@code bootstrap.servers}, {@code group.id}, and the serializers and deserializers
     * @throws IllegalArgumentException if a property does not fit
     */
    static <K, V> KeyedQueue<K, V> kafka(Spindle spindle, Map<?, ?> properties, KeyedHandler<K, V> handler) {
        return new KafkaQueue<>(
                Objects.requireNonNull(spindle, "spindle"), properties, Objects.requireNonNull(handler, "handler"));
    }

    /**
     * Adds a record. The record is handled in the order of its key; one without a key, in parallel to all others.
     *
     * @param key the key, or null
     * @param value the value, or null
     * @return a future that completes when the queue has accepted the record: the local queue at once, the topic with
     *     its acknowledgement
     * @throws IllegalStateException if the queue is closed, or has stopped
     */
    CompletableFuture<@Nullable Void> send(@Nullable K key, @Nullable V value);

    /**
     * Closes the queue, after at most about 30 s. The local queue handles what it has accepted. With Kafka, records
     * that were not taken in stay in the topic for other members of the group, or for the next start.
     *
     * @throws IllegalStateException if called by a worker of the spindle, which would wait for itself
     */
    @Override
    void close();
}
