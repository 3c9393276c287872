// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The snippet of docs/testing.md. */
@Timeout(120)
class SnippetTest {
    private static void sendAndConsume(
            KafkaBroker broker,
            String topic,
            Map<String, Object> properties,
            Consumer<ConsumerRecord<String, String>> handler)
            throws Exception {
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(broker.producerProperties(), new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, "key", "value")).get();
        }
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(topic));
            ConsumerRecords<String, String> polled = ConsumerRecords.empty();
            while (polled.isEmpty()) {
                polled = consumer.poll(Duration.ofSeconds(1));
            }
            polled.forEach(handler);
        }
    }

    @Nested
    // snippet: kafka-testkit
    @ExtendWith(KafkaExtension.class) // one broker for all test classes of the JVM
    class OrdersTest {
        @TempDir
        Path directory;

        @Test
        void orders_areHandledInOrder(KafkaBroker broker) throws Exception {
            String topic = KafkaExtension.uniqueName("orders");
            broker.createTopic(topic, 4);
            Map<String, Object> properties = broker.consumerProperties(topic + "-group");
            properties.put("interceptor.classes", CheckingInterceptor.class.getName()); // records polls and commits
            properties.put(CheckingInterceptor.JOURNAL, directory.resolve("consumer.journal"));

            try (CallJournal journal = CallJournal.open(directory.resolve("consumer.journal"))) {
                sendAndConsume(broker, topic, properties, record -> {
                    CallJournal.Call call =
                            journal.begin(record.topic(), record.partition(), record.offset(), record.key());
                    // the work of the handler
                    call.done();
                });
            }

            JournalReport report = JournalCheck.ofDirectory(directory).run();
            assertThat(report.isCorrect()).as(report.toString()).isTrue();
        }
    }
    // end
}
