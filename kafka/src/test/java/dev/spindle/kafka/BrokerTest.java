// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spindle.kafka.testkit.KafkaBroker;
import dev.spindle.kafka.testkit.KafkaExtension;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Consumers of a real broker: orders, kinds of handlers, topics. */
@Timeout(120)
@ExtendWith(KafkaExtension.class)
class BrokerTest extends OnBroker {
    BrokerTest(KafkaBroker broker) {
        super(broker);
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void records_ofManyKeys_areHandledInOrderAndCommitted(String protocol) throws Exception {
        assumeTrue(protocol.equals("classic") || hasNewProtocol());
        broker.createTopic(topic, 4);
        send(5_000, 100);
        KeyedConsumer<String, String> consumer = start(KeyedConsumer.builder(
                        spindle, with(properties(), "group.protocol", protocol), (KeyedHandler<String, String>)
                                this::note)
                .topics(topic)
                .deserializers(new StringDeserializer(), new StringDeserializer()));

        awaitHandled(5_000, consumer);
        assertInOrder(5_000, 100);
        awaitCommitted(5_000, 4);
        Eventually.until(() -> consumer.stats().partitions().stream().allMatch(p -> p.lag() == 0), consumer::stats);
        ConsumerReport report = consumer.close(LONG);
        assertThat(report.done()).isEqualTo(5_000);
        assertThat(report.abandoned()).isZero();
        assertThat(report.hasEnded()).isTrue();
        assertThat(consumer.terminated()).isCompleted();
    }

    @Test
    void q2_position_pastTransactionMarkersAndAbortedRecords_isCommitted() {
        broker.createTopic(topic, 1);
        Map<String, Object> transactional = with(new HashMap<>(broker.producerProperties()), "transactional.id", topic);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(transactional, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            for (int i = 0; i < 10; i++) {
                producer.beginTransaction();
                var unused = producer.send(new ProducerRecord<>(topic, bytes("k"), bytes("" + i)));
                if (i % 2 == 0) {
                    producer.commitTransaction();
                } else {
                    producer.flush();
                    producer.abortTransaction();
                }
            }
        }
        KeyedConsumer<String, String> consumer = start(KeyedConsumer.builder(
                        spindle, with(properties(), "isolation.level", "read_committed"), (KeyedHandler<String, String>)
                                this::note)
                .topics(topic)
                .deserializers(new StringDeserializer(), new StringDeserializer()));

        awaitHandled(5, consumer);
        awaitCommitted(20, 1);
        Eventually.until(() -> consumer.stats().partitions().get(0).lag() == 0, consumer::stats);
        assertThat(byKey.get("k")).containsExactly("0", "2", "4", "6", "8");
    }

    @Test
    void nullKeysAndValues_areHandled_andNullKeysInParallel() {
        broker.createTopic(topic, 1);
        for (int i = 0; i < 4; i++) {
            send(null, i == 0 ? null : "" + i);
        }
        CountDownLatch together = new CountDownLatch(4);
        KeyedConsumer<String, String> consumer = start(builder(record -> {
            together.countDown();
            Eventually.await(together);
            note(record);
        }));

        awaitHandled(4, consumer);
        assertThat(byKey).containsOnlyKeys("null");
        assertThat(byKey.get("null")).containsExactlyInAnyOrder("null", "1", "2", "3");
    }

    @Test
    void byteArrayKeys_areOrderedByContent() {
        broker.createTopic(topic, 1);
        send(200, 2);
        Set<String> running = ConcurrentHashMap.newKeySet();
        AtomicInteger overlaps = new AtomicInteger();
        KeyedConsumer<byte[], byte[]> consumer =
                start(KeyedConsumer.builder(spindle, properties(), (KeyedRecord<byte[], byte[]> record) -> {
                            String key = new String(Objects.requireNonNull(record.key()), StandardCharsets.UTF_8);
                            if (!running.add(key)) {
                                overlaps.incrementAndGet();
                            }
                            byKey.computeIfAbsent(key, of -> new ConcurrentLinkedQueue<>())
                                    .add(new String(Objects.requireNonNull(record.value()), StandardCharsets.UTF_8));
                            running.remove(key);
                            handled.incrementAndGet();
                        })
                        .topics(topic)
                        .deserializers(new ByteArrayDeserializer(), new ByteArrayDeserializer()));

        awaitHandled(200, consumer);
        assertThat(overlaps).hasValue(0);
        assertInOrder(200, 2);
    }

    @Test
    void orderOfThePartition_holdsAcrossItsKeys() {
        broker.createTopic(topic, 1);
        send(500, 50);
        ConcurrentLinkedQueue<String> all = new ConcurrentLinkedQueue<>();
        KeyedConsumer<String, String> consumer = start(builder(record -> {
                    all.add(String.valueOf(record.value()));
                    note(record);
                })
                .order(Order.PARTITION));

        awaitHandled(500, consumer);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            expected.add("" + i);
        }
        assertThat(all).containsExactlyElementsOf(expected);
    }

    @Test
    void unorderedRecords_ofOneKey_runInParallel() {
        broker.createTopic(topic, 1);
        send(4, 1);
        CountDownLatch together = new CountDownLatch(4);
        KeyedConsumer<String, String> consumer = start(builder(record -> {
                    together.countDown();
                    Eventually.await(together);
                    note(record);
                })
                .order(Order.UNORDERED));

        awaitHandled(4, consumer);
        awaitCommitted(4, 1);
    }

    @Test
    void keyExtractor_ordersByTheValue() {
        broker.createTopic(topic, 1);
        send(300, 30);
        ConcurrentLinkedQueue<String> all = new ConcurrentLinkedQueue<>();
        KeyedConsumer<String, String> consumer = start(builder(record -> {
                    all.add(String.valueOf(record.value()));
                    note(record);
                })
                .keyExtractor(record -> "one"));

        awaitHandled(300, consumer);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            expected.add("" + i);
        }
        assertThat(all).containsExactlyElementsOf(expected);
    }

    @Test
    void coalescing_handlesTheNewestOfEachKey_andCommitsAll() {
        broker.createTopic(topic, 1);
        send(2_000, 4);
        KeyedConsumer<String, String> consumer = start(builder(this::note).coalescing());

        awaitCommitted(2_000, 1);
        byKey.forEach((key, values) ->
                assertThat(values).last().isEqualTo("" + (1_996 + Integer.parseInt(key.substring(1)))));
        ConsumerStats stats = consumer.stats();
        assertThat(stats.done()).isEqualTo(2_000);
        assertThat(stats.superseded()).isEqualTo(2_000L - handled.get());
    }

    @Test
    void asyncHandler_holdsItsKey_andNoThread() {
        broker.createTopic(topic, 1);
        send(1_000, 500);
        Map<String, CompletableFuture<String>> open = new ConcurrentHashMap<>();
        KeyedConsumer<String, String> consumer =
                start(KeyedConsumer.asyncBuilder(spindle, properties(), (KeyedRecord<String, String> record) -> {
                            note(record);
                            return open.computeIfAbsent(
                                    String.valueOf(record.value()), value -> new CompletableFuture<>());
                        })
                        .topics(topic)
                        .deserializers(new StringDeserializer(), new StringDeserializer()));

        awaitHandled(500, consumer); // more than there are threads
        Eventually.until(() -> open.size() == 500, consumer::stats);
        assertThat(byKey.values()).allMatch(values -> values.size() == 1);
        open.values().forEach(stage -> stage.complete(""));
        Eventually.until(() -> open.size() == 1_000, consumer::stats);
        open.values().forEach(stage -> stage.complete(""));
        awaitCommitted(1_000, 1);
        assertInOrder(1_000, 500);
    }

    @Test
    void topicsOfAPattern_thatAreCreatedLater_areConsumed() {
        broker.createTopic(topic + "-a", 1);
        KeyedConsumer<String, String> consumer = start(KeyedConsumer.builder(
                        spindle, with(properties(), "metadata.max.age.ms", "500"), (KeyedHandler<String, String>)
                                this::note)
                .pattern(Pattern.compile(topic + ".*"))
                .deserializers(new StringDeserializer(), new StringDeserializer()));
        Eventually.until(() -> consumer.stats().partitions().size() == 1, consumer::stats);
        broker.createTopic(topic + "-b", 2);
        Eventually.until(() -> consumer.stats().partitions().size() == 3, consumer::stats);
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            var unused = producer.send(new ProducerRecord<>(topic + "-b", bytes("k"), bytes("v")));
        }

        awaitHandled(1, consumer);
    }

    @Test
    void queue_throughATopic_handlesInOrderWhatItHasSent() {
        broker.createTopic(topic, 2);
        Map<String, Object> properties = with(properties(), KeyedQueue.TOPIC, topic);
        for (String side : List.of("key", "value")) {
            properties.put(side + ".deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
            properties.put(side + ".serializer", "org.apache.kafka.common.serialization.StringSerializer");
        }
        properties.putAll(broker.producerProperties());
        try (KeyedQueue<String, String> queue = KeyedQueue.kafka(spindle, properties, this::note)) {
            for (int i = 0; i < 100; i++) {
                var unused = queue.send("k" + i % 10, "" + i);
            }
            Eventually.until(() -> handled.get() == 100, () -> handled);
        }

        assertInOrder(100, 10);
    }
}
