// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.kafka.FailurePolicy;
import dev.spindle.kafka.KeyedConsumer;
import io.confluent.parallelconsumer.ParallelConsumerOptions;
import io.confluent.parallelconsumer.ParallelConsumerOptions.ProcessingOrder;
import io.confluent.parallelconsumer.ParallelStreamProcessor;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The pair of docs/migration.md for consumers of Kafka, with a broker that is away: both start, and both close. */
@Timeout(60)
class KafkaMigrationTest {
    private final Queue<String> booked = new ConcurrentLinkedQueue<>();

    private void book(@Nullable String account, @Nullable String order) {
        booked.add(account + " " + order);
    }

    private static Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("bootstrap.servers", "127.0.0.1:1");
        properties.setProperty("group.id", "bank");
        properties.setProperty("enable.auto.commit", "false");
        for (String side : List.of("key", "value")) {
            properties.setProperty(side + ".deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
        }
        return properties;
    }

    @Test
    void parallelConsumer_before() {
        Properties properties = properties();
        // snippet: from-parallel-consumer
        ParallelStreamProcessor<String, String> processor =
                ParallelStreamProcessor.createEosStreamProcessor(ParallelConsumerOptions.<String, String>builder()
                        .ordering(ProcessingOrder.KEY)
                        .maxConcurrency(100)
                        .consumer(new KafkaConsumer<>(properties))
                        .build());
        processor.subscribe(List.of("orders"));
        processor.poll(context -> book(context.key(), context.value()));
        // end
        processor.closeDontDrainFirst();
        assertThat(booked).isEmpty();
    }

    @Test
    void parallelConsumer_after() {
        Properties properties = properties();
        // snippet: to-keyed-consumer
        Spindle spindle = Spindle.builder().maxThreads(100).build();
        KeyedConsumer<String, String> consumer = KeyedConsumer.<String, String>builder(
                        spindle, properties, record -> book(record.key(), record.value()))
                .topics("orders")
                .afterFailure(FailurePolicy.deadLetter("orders-dead")) // by default the consumer stops
                .start();
        // end
        assertThat(consumer.close(Duration.ofMillis(100)).done()).isZero();
        spindle.close();
        assertThat(booked).isEmpty();
    }
}
