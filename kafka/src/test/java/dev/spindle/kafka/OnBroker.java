// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.kafka.testkit.KafkaBroker;
import dev.spindle.kafka.testkit.KafkaExtension;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What tests with consumers of a real broker have in common. */
@Timeout(120)
@ExtendWith(KafkaExtension.class)
abstract class OnBroker {

    static final Duration LONG = Duration.ofSeconds(20);

    final KafkaBroker broker;
    final String topic = KafkaExtension.uniqueName("topic");
    final String group = KafkaExtension.uniqueName("group");
    final Spindle spindle = Spindle.builder().maxThreads(32).build();
    final List<KeyedConsumer<?, ?>> started = new ArrayList<>();
    final Map<String, ConcurrentLinkedQueue<String>> byKey = new ConcurrentHashMap<>();
    final AtomicInteger handled = new AtomicInteger();

    OnBroker(KafkaBroker broker) {
        this.broker = broker;
    }

    @AfterEach
    void close() {
        started.forEach(KeyedConsumer::close);
        spindle.close();
    }

    Map<String, Object> properties() {
        Map<String, Object> properties = new HashMap<>(broker.consumerProperties(group));
        properties.put("auto.offset.reset", "earliest");
        return properties;
    }

    KeyedConsumerBuilder<String, String> builder(KeyedHandler<String, String> handler) {
        return KeyedConsumer.builder(spindle, properties(), handler)
                .topics(topic)
                .deserializers(new StringDeserializer(), new StringDeserializer())
                .backoff(Duration.ofMillis(5), Duration.ofMillis(20));
    }

    <K, V> KeyedConsumer<K, V> start(KeyedConsumerBuilder<K, V> builder) {
        KeyedConsumer<K, V> consumer = builder.start();
        started.add(consumer);
        return consumer;
    }

    void note(KeyedRecord<String, String> record) {
        byKey.computeIfAbsent(String.valueOf(record.key()), key -> new ConcurrentLinkedQueue<>())
                .add(String.valueOf(record.value()));
        handled.incrementAndGet();
    }

    void awaitHandled(int records, KeyedConsumer<?, ?> consumer) {
        Eventually.until(() -> handled.get() >= records, () -> handled + " of " + records + ", " + consumer);
    }

    void awaitCommitted(int records, int partitions) {
        Eventually.until(
                () -> {
                    Map<TopicPartition, OffsetAndMetadata> committed = broker.committed(group);
                    return committed.size() == partitions
                            && committed.values().stream()
                                            .mapToLong(OffsetAndMetadata::offset)
                                            .sum()
                                    == records;
                },
                () -> broker.committed(group));
    }

    KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(broker.producerProperties(), new ByteArraySerializer(), new ByteArraySerializer());
    }

    static byte @Nullable [] bytes(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    void send(int records, int keys) {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (int i = 0; i < records; i++) {
                var unused = producer.send(new ProducerRecord<>(topic, bytes("k" + i % keys), bytes("" + i)));
            }
        }
    }

    void send(@Nullable String key, @Nullable String value) {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            var unused = producer.send(new ProducerRecord<>(topic, bytes(key), bytes(value)));
        }
    }

    void assertInOrder(int records, int keys) {
        assertThat(byKey).hasSize(keys);
        byKey.forEach((key, values) -> {
            List<String> expected = new ArrayList<>();
            for (int i = Integer.parseInt(key.substring(1)); i < records; i += keys) {
                expected.add(String.valueOf(i));
            }
            assertThat(values).as(key).containsExactlyElementsOf(expected);
        });
    }

    /** Returns true if groups can have {@code group.protocol=consumer}: not with the older clients of .ci/kafka. */
    boolean hasNewProtocol() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            return admin.describeFeatures()
                    .featureMetadata()
                    .get()
                    .finalizedFeatures()
                    .containsKey("group.version");
        }
    }

    static Map<String, Object> with(Map<String, Object> properties, String name, Object value) {
        properties.put(name, value);
        return properties;
    }

    Map<String, ConcurrentLinkedQueue<String>> byKeyWithout(String key) {
        byKey.remove(key);
        return byKey;
    }

    void assertInOrder(Map<String, ConcurrentLinkedQueue<String>> ignored, int records, int keys) {
        assertInOrder(records, keys);
    }

    List<ConsumerRecord<byte[], byte[]>> readAll(String of, int least) {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> reader = new KafkaConsumer<>(
                broker.consumerProperties(KafkaExtension.uniqueName("reader")),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = List.of(new TopicPartition(of, 0));
            reader.assign(partitions);
            reader.seekToBeginning(partitions);
            long end = Objects.requireNonNull(reader.endOffsets(partitions).get(partitions.get(0)));
            assertThat(end).isGreaterThanOrEqualTo(least);
            while (all.size() < end) {
                reader.poll(Duration.ofMillis(100)).forEach(all::add);
            }
        }
        return all;
    }

    KeyedConsumer<?, ?> started(int number) {
        Eventually.until(() -> started.size() > number, () -> "not started");
        return started.get(number);
    }
}
