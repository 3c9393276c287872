// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A broker that stops, dies and starts, and that finds the same on each JDK: see the tag. */
@Tag("once")
@Timeout(180)
class KafkaBrokerTest {
    @RegisterExtension
    static final KafkaExtension KAFKA = KafkaExtension.withOwnBroker(KafkaBroker.builder());

    private final KafkaBroker broker = KAFKA.broker();

    private void send(String topic, String... values) throws Exception {
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(broker.producerProperties(), new StringSerializer(), new StringSerializer())) {
            for (String value : values) {
                producer.send(new ProducerRecord<>(topic, "key", value)).get();
            }
        }
    }

    /** Returns the values of a topic from its begin on, as many as asked for. */
    private List<String> receive(String topic, int count) {
        List<String> received = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                broker.consumerProperties(KafkaExtension.uniqueName("group")),
                new StringDeserializer(),
                new StringDeserializer())) {
            consumer.subscribe(List.of(topic));
            while (received.size() < count) {
                consumer.poll(Duration.ofSeconds(1)).forEach(record -> received.add(record.value()));
            }
            consumer.commitSync();
        }
        return received;
    }

    @Test
    void records_overAStopAndAKill_areKept() throws Exception {
        String topic = KafkaExtension.uniqueName("topic");
        String address = broker.bootstrap();
        broker.createTopic(topic, 3);
        send(topic, "1");
        broker.restart();
        send(topic, "2");
        broker.kill();
        assertThat(broker.isRunning()).isFalse();
        assertThat(broker).hasToString("KafkaBroker at " + address + ", not running");
        broker.start();
        send(topic, "3");

        assertThat(receive(topic, 3)).containsExactly("1", "2", "3");
        assertThat(broker.bootstrap()).isEqualTo(address);
    }

    @Test
    void topic_thatGrows_hasItsNewPartitionsAtOnce() throws Exception {
        String topic = KafkaExtension.uniqueName("topic");
        broker.createTopic(topic, 1);
        broker.growTopic(topic, 3);

        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(broker.producerProperties(), new StringSerializer(), new StringSerializer())) {
            assertThat(producer.partitionsFor(topic)).hasSize(3);
            producer.send(new ProducerRecord<>(topic, 2, "key", "value")).get();
        }
        assertThat(receive(topic, 1)).containsExactly("value");
    }

    @Test
    void topic_thatExists_isRefusedWithItsName() {
        String topic = KafkaExtension.uniqueName("topic");
        broker.createTopic(topic, 1);

        assertThatThrownBy(() -> broker.createTopic(topic, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(topic)
                .hasMessageContaining("exists");
    }

    @Test
    void start_whileItRuns_isRefused() {
        assertThatThrownBy(broker::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("runs already");
    }

    @Test
    void start_withASettingThatCannotBe_failsWithTheLogAndLeavesNothing() {
        KafkaBroker other =
                KafkaBroker.builder().property("num.io.threads", "many").build();
        Path data = Objects.requireNonNull(other.log().getParent());

        assertThatThrownBy(other::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("many");
        assertThat(other.isRunning()).isFalse();
        other.close();
        other.close();

        assertThat(data).doesNotExist();
        assertThatThrownBy(other::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void start_withoutTheServersJar_namesIt() {
        try (KafkaBroker other = KafkaBroker.builder().classPath("nowhere").build()) {
            assertThatThrownBy(other::start)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("kafka_2.13");
        }
    }

    @Test
    void builder_valuesThatCannotBe_areRefusedWithTheValue() {
        KafkaBrokerBuilder builder = KafkaBroker.builder();

        assertThatThrownBy(() -> builder.heap(63)).hasMessageContaining("63");
        assertThatThrownBy(() -> builder.startLimit(Duration.ZERO)).hasMessageContaining("PT0S");
        assertThatThrownBy(() -> builder.property("log.dirs", "/")).hasMessageContaining("log.dirs");
    }

    /** A test JVM that is killed leaves no broker behind. */
    @Test
    @Tag("deep")
    void broker_whoseParentIsKilled_ends() throws Exception {
        Process parent = new ProcessBuilder(
                        BrokerProcess.javaCommand(), "-cp", BrokerProcess.ownClassPath(), Parent.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
            Path data = Path.of(Objects.requireNonNull(out.readLine(), "the parent has no broker"));
            List<ProcessHandle> brokers = parent.toHandle().children().toList();
            assertThat(brokers).hasSize(1);

            parent.destroyForcibly();

            brokers.get(0).onExit().get(30, TimeUnit.SECONDS);
            assertThat(Files.exists(data)).isTrue(); // for a look at what happened
            BrokerProcess.delete(data);
        } finally {
            parent.destroyForcibly();
        }
    }

    /** Starts a broker and waits. */
    static final class Parent {
        private Parent() {}

        public static void main(String[] arguments) throws Exception {
            KafkaBroker broker = KafkaBroker.builder().start();
            System.out.println(broker.log().getParent());
            Thread.currentThread().join();
        }
    }

    @Nested
    class Inner {
        @Test
        void broker_ofTheOuterClass_isShared(KafkaBroker given) {
            assertThat(given).isSameAs(broker);
            assertThat(given.isRunning()).isTrue();
            assertThat(given.committed("no-such-group")).isEqualTo(Map.of());
        }
    }
}
