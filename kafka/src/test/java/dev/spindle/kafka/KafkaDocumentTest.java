// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The code of docs/kafka.md, with a broker that is away. */
class KafkaDocumentTest {
    private final Spindle spindle = Spindle.create();
    private final List<String> booked = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        spindle.close();
    }

    private void book(@Nullable String account, @Nullable String order) {
        booked.add(account + " " + order);
    }

    private static Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("bootstrap.servers", "127.0.0.1:1");
        properties.setProperty("group.id", "bank");
        for (String side : List.of("key", "value")) {
            properties.setProperty(side + ".deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
            properties.setProperty(side + ".serializer", "org.apache.kafka.common.serialization.StringSerializer");
        }
        return properties;
    }

    @Test
    void consumer_whileTheBrokerIsAway_startsAndCloses() {
        Properties properties = properties();
        // snippet: kafka-consumer
        KeyedConsumer<String, String> consumer = KeyedConsumer.builder(
                        spindle, properties, (KeyedRecord<String, String> record) -> book(record.key(), record.value()))
                .topics("orders")
                .maxAttempts(5)
                .backoff(Duration.ofMillis(100), Duration.ofSeconds(10))
                .afterFailure(FailurePolicy.deadLetter("orders-dead")) // by default the consumer stops
                .start();
        // end

        assertThat(consumer.name()).isEqualTo("bank");
        assertThat(consumer.stalled()).isFalse();
        assertThat(consumer.terminated()).isNotDone();
        long begin = System.nanoTime();
        ConsumerReport report = consumer.close(Duration.ofMillis(100));

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(1_100));
        assertThat(report.done()).isZero();
    }

    @Test
    void queue_inOneProcess_handlesInOrder() {
        boolean isTest = true;
        Properties properties = properties();
        KeyedHandler<String, String> handler = record -> book(record.key(), record.value());
        // snippet: kafka-queue
        KeyedQueue<String, String> queue = isTest
                ? KeyedQueue.local(spindle, handler)
                : KeyedQueue.kafka(spindle, properties, handler); // with spindle.topic

        CompletableFuture<?> accepted = queue.send("alice", "credit 5");
        // end
        assertThat(accepted).isCompleted();
        queue.close();

        assertThat(booked).containsExactly("alice credit 5");
    }
}
