// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import dev.spindle.kafka.testkit.KafkaBroker;
import dev.spindle.kafka.testkit.KafkaExtension;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Consumers of a real broker: failures, bounds, rebalances, restarts. */
@Timeout(120)
@ExtendWith(KafkaExtension.class)
class BrokerFailureTest extends OnBroker {
    BrokerFailureTest(KafkaBroker broker) {
        super(broker);
    }

    /** A key that is stuck for long, while a hundred thousand other records pass, and then a restart. */
    @Test
    void q2_stuckKey_holdsUpNoOther_andNothingDoneIsRepeated() {
        broker.createTopic(topic, 1);
        send("stuck", "first");
        send(30_000, 1_000);
        CountDownLatch release = new CountDownLatch(1);
        KeyedConsumer<String, String> consumer = start(builder(record -> {
            if ("first".equals(record.value())) {
                Eventually.await(release);
            }
            note(record);
        }));

        awaitHandled(30_000, consumer);
        Eventually.until(() -> consumer.stats().inFlight() == 1, consumer::stats);
        ConsumerReport report = consumer.close(Duration.ofMillis(100));
        assertThat(report.done()).isEqualTo(30_000);
        assertThat(report.abandoned()).isEqualTo(1);
        assertThat(report.committed()).containsEntry(topic + "-0", 0L);
        release.countDown();

        KeyedConsumer<String, String> next = start(builder(this::note));
        awaitCommitted(30_001, 1);
        assertThat(next.stats().alreadyDone()).isEqualTo(30_000);
        assertThat(next.stats().done()).isEqualTo(1);
        assertInOrder(byKeyWithout("stuck"), 30_000, 1_000);
    }

    @Test
    void deadLetter_hasTheOriginalAndItsOrigin() {
        broker.createTopic(topic, 1);
        String dead = topic + "-dead";
        broker.createTopic(dead, 1);
        long sent = System.currentTimeMillis() - 3_600_000; // an hour ago
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, 0, sent, bytes("k"), bytes("bad"));
            record.headers().add("trace", bytes("abc"));
            var unused = producer.send(record);
            var unusedToo = producer.send(new ProducerRecord<>(topic, bytes("k"), bytes("good")));
        }
        KeyedConsumer<String, String> consumer = start(builder(record -> {
                    if ("bad".equals(record.value())) {
                        throw new IllegalArgumentException("on purpose");
                    }
                    note(record);
                })
                .maxAttempts(3)
                .afterFailure(FailurePolicy.deadLetter(dead)));

        awaitHandled(1, consumer);
        awaitCommitted(2, 1);
        List<ConsumerRecord<byte[], byte[]>> letters = readAll(dead, 1);
        assertThat(letters).hasSize(1);
        ConsumerRecord<byte[], byte[]> letter = letters.get(0);
        assertThat(letter.key()).isEqualTo(bytes("k"));
        assertThat(letter.value()).isEqualTo(bytes("bad"));
        assertThat(letter.timestamp())
                .as("the retention counts from the letter")
                .isGreaterThan(sent);
        Map<String, String> headers = new HashMap<>();
        letter.headers()
                .forEach(header -> headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
        assertThat(headers)
                .containsEntry("trace", "abc")
                .containsEntry("spindle.topic", topic)
                .containsEntry("spindle.partition", "0")
                .containsEntry("spindle.offset", "0")
                .containsEntry("spindle.timestamp", String.valueOf(sent))
                .containsEntry("spindle.attempts", "3")
                .containsEntry("spindle.exception", "java.lang.IllegalArgumentException")
                .containsEntry("spindle.message", "on purpose");
        assertThat(consumer.stats().deadLetters()).isEqualTo(1);
        assertThat(consumer.stats().failedAttempts()).isEqualTo(3);
    }

    /** The topic of dead letters does not exist, and is created later. */
    @Test
    void deadLetterThatIsRefused_holdsBackItsKeyAndTheWatermark_andNothingElse() {
        broker.createTopic(topic, 1);
        String dead = topic + "-dead";
        send("bad", "bad");
        send(100, 10);
        KeyedConsumer<String, String> consumer = start(builder(record -> {
                    if ("bad".equals(record.value())) {
                        throw new IllegalArgumentException("on purpose");
                    }
                    note(record);
                })
                .maxAttempts(1)
                .producerProperties(Map.of("max.block.ms", "300"))
                .afterFailure(FailurePolicy.deadLetter(dead + "?"))); // never a legal name

        awaitHandled(100, consumer);
        Eventually.until(() -> consumer.stats().refusedDeadLetters() > 2, consumer::stats);
        assertThat(consumer.stats().deadLetters()).isZero();
        Eventually.until(() -> consumer.stats().done() == 100, consumer::stats);
        ConsumerReport report = consumer.close(Duration.ofMillis(200));
        assertThat(report.committed()).containsEntry(topic + "-0", 0L);
        assertThat(report.abandoned()).isEqualTo(1);

        AtomicBoolean isGood = new AtomicBoolean();
        KeyedConsumer<String, String> next = start(builder(record -> isGood.set("bad".equals(record.value()))));
        awaitCommitted(101, 1);
        assertThat(next.stats().alreadyDone()).isEqualTo(100);
        assertThat(isGood).isTrue();
    }

    @Test
    void parkedKey_isReadAgainAfterARestart_andNothingElseIs() {
        broker.createTopic(topic, 1);
        send("bad", "1");
        send(1_000, 10);
        send("bad", "2");
        KeyedConsumer<String, String> consumer = start(builder(record -> {
                    if ("bad".equals(record.key())) {
                        throw new IllegalArgumentException("on purpose");
                    }
                    note(record);
                })
                .maxAttempts(2)
                .afterFailure(FailurePolicy.parkKey()));

        awaitHandled(1_000, consumer);
        Eventually.until(() -> consumer.stats().partitions().get(0).parked() == 2, consumer::stats);
        assertThat(consumer.stats().parkedKeys()).isEqualTo(1);
        Eventually.until(() -> consumer.stats().inFlight() == 0, consumer::stats);
        ConsumerReport report = consumer.close(LONG);
        assertThat(report.abandoned()).isEqualTo(2);

        byKey.clear();
        KeyedConsumer<String, String> next = start(builder(this::note));
        awaitCommitted(1_002, 1);
        assertThat(byKey).containsOnlyKeys("bad");
        assertThat(byKey.get("bad")).containsExactly("1", "2");
        assertThat(next.stats().alreadyDone()).isEqualTo(1_000);
    }

    @Test
    void q3_maxRecords_isNotExceeded_andIntakeGoesOn() {
        broker.createTopic(topic, 2);
        send(5_000, 500);
        AtomicInteger most = new AtomicInteger();
        KeyedConsumer<String, String> consumer = start(builder(record -> {
                    most.accumulateAndGet((int) started(0).stats().inFlight(), Math::max);
                    note(record);
                })
                .maxRecords(100));

        awaitHandled(5_000, consumer);
        assertThat(most.get()).isBetween(10, 100);
        assertInOrder(5_000, 500);
    }

    @Test
    void foreignMetadata_isIgnored_andTheOffsetHolds() {
        broker.createTopic(topic, 1);
        send(10, 1);
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaConsumer<byte[], byte[]> other =
                new KafkaConsumer<>(properties(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            other.assign(List.of(partition));
            other.commitSync(Map.of(partition, new OffsetAndMetadata(4, "bf14/8J+YgA==")));
        }
        KeyedConsumer<String, String> consumer = start(builder(this::note));

        awaitCommitted(10, 1);
        assertThat(byKey.get("k0")).containsExactly("4", "5", "6", "7", "8", "9");
        assertThat(consumer.stats().metadataIgnored()).isEqualTo(1);
    }

    /** Two consumers in one process, the second of which comes and goes. */
    @Tag("once")
    @ParameterizedTest
    @ValueSource(strings = {"range", "cooperative", "consumer"})
    void q1_memberThatComesAndGoes_repeatsAndLosesNothing(String kind) throws Exception {
        broker.createTopic(topic, 4);
        Map<String, Object> properties = properties();
        if (kind.equals("consumer")) {
            properties.put("group.protocol", "consumer");
        } else if (kind.equals("cooperative")) {
            properties.put(
                    "partition.assignment.strategy", "org.apache.kafka.clients.consumer.CooperativeStickyAssignor");
        }
        Set<String> running = ConcurrentHashMap.newKeySet();
        AtomicInteger overlaps = new AtomicInteger();
        KeyedHandler<String, String> handler = record -> {
            if (!running.add(String.valueOf(record.key()))) {
                overlaps.incrementAndGet();
            }
            note(record);
            Spindle.callBlocking(() -> new CountDownLatch(1).await(1, TimeUnit.MILLISECONDS));
            running.remove(String.valueOf(record.key()));
        };
        KeyedConsumer<String, String> first = start(KeyedConsumer.builder(spindle, properties, handler)
                .topics(topic)
                .deserializers(new StringDeserializer(), new StringDeserializer()));
        Thread sender = new Thread(() -> send(6_000, 300));
        sender.start();
        for (int i = 0; i < 3; i++) {
            KeyedConsumer<String, String> second = KeyedConsumer.builder(spindle, properties, handler)
                    .topics(topic)
                    .name("second" + i)
                    .deserializers(new StringDeserializer(), new StringDeserializer())
                    .start();
            Eventually.until(() -> !second.stats().partitions().isEmpty(), second::stats);
            second.close(LONG);
        }
        sender.join();

        awaitCommitted(6_000, 4);
        assertThat(overlaps).hasValue(0);
        assertInOrder(6_000, 300);
        assertThat(first.terminated()).isNotDone();
    }

    /** 250 records of 1 MB through a heap of 64 MB, of which the client holds a part. */
    @Tag("deep")
    @Tag("once")
    @Test
    void q3_largeRecords_fitIntoASmallHeap(@TempDir Path directory) throws Exception {
        broker.createTopic(topic, 2);
        int records = 250;
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                with(new HashMap<>(broker.producerProperties()), "max.request.size", 2_000_000),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                var unused = producer.send(new ProducerRecord<>(topic, bytes("k" + i), new byte[1_000_000]));
            }
        }
        String ofTests = System.getProperty("surefire.test.class.path");
        String classPath = Objects.requireNonNull(ofTests == null ? System.getProperty("java.class.path") : ofTests);
        String home = Objects.requireNonNull(System.getProperty("java.home"));
        Path log = directory.resolve("log");
        Process process = new ProcessBuilder(
                        Path.of(home, "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPath,
                        LargeRecords.class.getName(),
                        broker.bootstrap(),
                        topic,
                        String.valueOf(records))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(log)).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void invalidTopicName_endsTheConsumerWithTheReason() {
        KeyedConsumer<String, String> consumer = start(builder(this::note).topics("not a topic"));

        assertThatThrownBy(() -> consumer.terminated().get(30, TimeUnit.SECONDS))
                .hasMessageContaining("not a topic");
    }
}
