// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.kafka.testkit.JournalReport.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Consumers without Spindle: a serial one, which has no fault, and a control, in which the checks find some. */
@Timeout(180)
@ExtendWith(KafkaExtension.class)
class ConsumersTest {
    private static final int RECORDS = 200;
    private static final int KEYS = 10;

    private final KafkaBroker broker;
    private final String topic = KafkaExtension.uniqueName("topic");

    @TempDir
    private Path directory = Path.of("");

    ConsumersTest(KafkaBroker broker) {
        this.broker = broker;
    }

    @BeforeEach
    void send() throws Exception {
        broker.createTopic(topic, 2);
        try (CallJournal journal = CallJournal.open(directory.resolve("producer.journal"));
                KafkaProducer<String, String> producer = new KafkaProducer<>(
                        broker.producerProperties(), new StringSerializer(), new StringSerializer())) {
            for (int i = 0; i < RECORDS; i++) {
                String key = "key " + i % KEYS;
                RecordMetadata sent = producer.send(new ProducerRecord<>(topic, key, "value " + i))
                        .get();
                journal.sent(topic, sent.partition(), sent.offset(), key);
            }
        }
    }

    private KafkaConsumer<String, String> consumer(Path journal) {
        Map<String, Object> properties = broker.consumerProperties(KafkaExtension.uniqueName("group"));
        properties.put("enable.auto.commit", "false");
        properties.put("interceptor.classes", CheckingInterceptor.class.getName());
        properties.put(CheckingInterceptor.JOURNAL, journal.toString());
        KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer());
        consumer.subscribe(List.of(topic));
        return consumer;
    }

    private static CallJournal.Call begin(CallJournal journal, ConsumerRecord<String, String> record) {
        return journal.begin(record.topic(), record.partition(), record.offset(), record.key());
    }

    @Test
    void serialConsumer_hasNoFault() {
        Path file = directory.resolve("serial.journal");
        try (CallJournal journal = CallJournal.open(file);
                KafkaConsumer<String, String> consumer = consumer(file)) {
            for (int polled = 0; polled < RECORDS; ) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofSeconds(1))) {
                    begin(journal, record).done();
                    polled++;
                }
                consumer.commitSync();
            }
        }

        JournalReport report = JournalCheck.ofDirectory(directory).run();

        assertThat(report.isCorrect()).as(report.toString()).isTrue();
        assertThat(report.records()).isEqualTo(RECORDS);
        assertThat(report.calls()).isEqualTo(RECORDS);
        assertThat(report.commits()).isPositive();
        assertThat(report.repeats()).isEmpty();
    }

    /** A pool of threads without order, with a commit of what was polled. */
    @Test
    void poolWithoutOrder_isFoundOut() throws Exception {
        Path file = directory.resolve("control.journal");
        CountDownLatch committed = new CountDownLatch(1);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try (CallJournal journal = CallJournal.open(file);
                KafkaConsumer<String, String> consumer = consumer(file)) {
            for (int polled = 0; polled < RECORDS; ) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofSeconds(1))) {
                    polled++;
                    pool.execute(() -> {
                        CallJournal.Call call = begin(journal, record);
                        awaitUninterruptibly(committed);
                        call.done();
                    });
                }
                consumer.commitSync();
            }
            committed.countDown();
            pool.shutdown();
            assertThat(pool.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            pool.shutdownNow();
        }

        JournalReport report = JournalCheck.ofDirectory(directory).run();

        assertThat(report.count(Kind.OVERLAP)).isPositive();
        assertThat(report.count(Kind.EARLY_COMMIT)).isPositive();
        assertThat(report.count(Kind.LOSS)).isZero();
        assertThat(report.isCorrect()).isFalse();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void interceptor_withoutAJournal_namesTheProperty() {
        Map<String, Object> properties = broker.consumerProperties("group");
        properties.put("interceptor.classes", CheckingInterceptor.class.getName());

        assertThatThrownBy(() ->
                        new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer()).close())
                .isInstanceOf(KafkaException.class)
                .rootCause()
                .hasMessageContaining(CheckingInterceptor.JOURNAL);
    }
}
