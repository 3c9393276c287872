// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bad options get an error that names the value, and leave no client and no thread. */
class OptionsTest {
    private final Spindle spindle = Spindle.create();
    private final Map<String, Object> properties = new HashMap<>();

    OptionsTest() {
        properties.put("bootstrap.servers", "127.0.0.1:1");
        properties.put("group.id", "group");
    }

    @AfterEach
    void close() {
        spindle.close();
        Eventually.until(
                () -> Thread.getAllStackTraces().keySet().stream()
                        .map(Thread::getName)
                        .noneMatch(
                                name -> name.startsWith("spindle-kafka-") || name.startsWith("kafka-producer-network")),
                Thread::getAllStackTraces);
    }

    private KeyedConsumerBuilder<String, String> builder() {
        return KeyedConsumer.builder(spindle, properties, (KeyedRecord<String, String> record) -> {})
                .topics("topic")
                .deserializers(new StringDeserializer(), new StringDeserializer());
    }

    private void assertRefused(String name, @Nullable Object value, String... messages) {
        if (value == null) {
            properties.remove(name);
        } else {
            properties.put(name, value);
        }
        KeyedConsumerBuilder<String, String> builder = builder();

        assertThatIllegalArgumentException().isThrownBy(builder::start).withMessageContainingAll(messages);
    }

    @Test
    void group_thatIsMissing_isAsked() {
        assertRefused("group.id", null, "group.id");
    }

    @Test
    void group_thatIsBlank_isRefused() {
        assertRefused("group.id", " ", "group.id");
    }

    @Test
    void bootstrap_thatIsMissing_isAsked() {
        assertRefused("bootstrap.servers", null, "bootstrap.servers");
    }

    @Test
    void autoCommit_isRefused() {
        assertRefused("enable.auto.commit", "true", "enable.auto.commit", "true");
    }

    @Test
    void number_thatIsNone_isRefused() {
        assertRefused("max.poll.records", "many", "max.poll.records", "many");
    }

    @Test
    void property_thatTheClientRefuses_isItsError() {
        properties.put("auto.offset.reset", "sometimes");

        assertThatThrownBy(() -> builder().start())
                .isInstanceOf(KafkaException.class)
                .hasMessageContaining("sometimes");
    }

    @Test
    void deserializer_thatIsMissing_isAsked() {
        KeyedConsumerBuilder<String, String> builder = KeyedConsumer.<String, String>builder(
                        spindle, properties, record -> {})
                .topics("topic");

        assertThatIllegalArgumentException().isThrownBy(builder::start).withMessageContaining("key.deserializer");
    }

    @Test
    void deserializer_thatIsNone_isRefused() {
        properties.put("key.deserializer", "java.lang.String");
        KeyedConsumerBuilder<String, String> builder = KeyedConsumer.<String, String>builder(
                        spindle, properties, record -> {})
                .topics("topic");

        assertThatIllegalArgumentException()
                .isThrownBy(builder::start)
                .withMessageContainingAll("key.deserializer", "java.lang.String");
    }

    @Test
    void deserializer_thatIsNotFound_isRefused() {
        properties.put("key.deserializer", "no.such.Deserializer");
        KeyedConsumerBuilder<String, String> builder = KeyedConsumer.<String, String>builder(
                        spindle, properties, record -> {})
                .topics("topic");

        assertThatIllegalArgumentException()
                .isThrownBy(builder::start)
                .withMessageContainingAll("key.deserializer", "no.such.Deserializer");
    }

    @Test
    void topics_andAPattern_areRefusedTogether_andBothMissing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().pattern(Pattern.compile("a.*")).start())
                .withMessageContainingAll("topic", "a.*");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyedConsumer.<String, String>builder(spindle, properties, record -> {})
                        .deserializers(new StringDeserializer(), new StringDeserializer())
                        .start());
    }

    @Test
    void values_outOfRange_areNamed() {
        KeyedConsumerBuilder<String, String> builder = builder();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.topics(List.of()))
                .withMessageContaining("[]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.topics("a", " "))
                .withMessageContaining("a");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxRecords(1))
                .withMessageContaining("is 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxBytes(7))
                .withMessageContaining("is 7");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxAttempts(0))
                .withMessageContaining("is 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxConcurrency(-3))
                .withMessageContaining("is -3");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxMetadata(-1))
                .withMessageContaining("is -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.backoff(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .withMessageContainingAll("PT2S", "PT1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.commitInterval(Duration.ZERO))
                .withMessageContaining("PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.drainTime(Duration.ofMillis(-1)))
                .withMessageContaining("PT-0.001S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.onUnreadable(FailurePolicy.parkKey()))
                .withMessageContaining("parkKey");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FailurePolicy.deadLetter(" "))
                .withMessageContaining("\" \"");
    }

    @Test
    void drainTime_ofMoreThanHalfThePollInterval_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().drainTime(Duration.ofMinutes(3)).start())
                .withMessageContainingAll("max.poll.interval.ms", "PT3M");
    }

    @Test
    void coalescing_withoutKeys_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().coalescing().order(Order.PARTITION).start())
                .withMessageContaining("PARTITION");
    }

    @Test
    void propertyName_thatIsNoString_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyedConsumer.<String, String>builder(spindle, Map.of(1, "a"), record -> {}))
                .withMessageContaining("1");
    }

    @Test
    void defaultsOfProperties_areUsed() {
        Properties defaults = new Properties();
        defaults.setProperty("group.id", "group");
        defaults.setProperty("bootstrap.servers", "127.0.0.1:1");
        KeyedConsumer<String, String> consumer = KeyedConsumer.<String, String>builder(
                        spindle, new Properties(defaults), record -> {})
                .topics("topic")
                .deserializers(new StringDeserializer(), new StringDeserializer())
                .start();

        assertThat(consumer.name()).isEqualTo("group");
        consumer.close(Duration.ZERO);
    }

    @Test
    void start_twice_isRefused() {
        KeyedConsumerBuilder<String, String> builder = builder();
        KeyedConsumer<String, String> consumer = builder.start();

        assertThatThrownBy(builder::start).isInstanceOf(IllegalStateException.class);
        consumer.close(Duration.ZERO);
    }

    @Test
    void pollAndFetchSizes_areLoweredToTheBounds() {
        Map<String, Object> configs = ConsumerConfigs.ofConsumer(properties, 100, 4 << 20);

        assertThat(configs)
                .containsEntry("enable.auto.commit", false)
                .containsEntry("max.poll.records", 50)
                .containsEntry("fetch.max.bytes", 1 << 20)
                .containsEntry("max.partition.fetch.bytes", 1 << 20);
        properties.put("max.poll.records", "20");
        properties.put("fetch.max.bytes", 1_000);
        assertThat(ConsumerConfigs.ofConsumer(properties, 100, 4 << 20))
                .containsEntry("max.poll.records", 20)
                .containsEntry("fetch.max.bytes", 1_000);
    }

    @Test
    void producerOfDeadLetters_connectsAsTheConsumer_andKeepsWhatIsSet() {
        properties.put("sasl.mechanism", "PLAIN");
        properties.put("max.poll.records", 20);
        Map<String, Object> configs = ConsumerConfigs.ofProducer(properties, Map.of("max.block.ms", 7));

        assertThat(configs)
                .containsEntry("bootstrap.servers", "127.0.0.1:1")
                .containsEntry("sasl.mechanism", "PLAIN")
                .containsEntry("max.block.ms", 7)
                .containsEntry("max.in.flight.requests.per.connection", 1)
                .doesNotContainKeys("group.id", "max.poll.records");
    }

    @Test
    void backoff_doublesWithJitter_toTheLongest() {
        Retries retries = new Retries();
        retries.setBackoff(Duration.ofMillis(100), Duration.ofSeconds(1));
        for (int i = 0; i < 1_000; i++) {
            assertThat(retries.backoffNanos(1)).isBetween(50_000_000L, 100_000_000L);
            assertThat(retries.backoffNanos(3)).isBetween(200_000_000L, 400_000_000L);
            assertThat(retries.backoffNanos(5)).isBetween(500_000_000L, 1_000_000_000L);
            assertThat(retries.backoffNanos(Integer.MAX_VALUE)).isBetween(500_000_000L, 1_000_000_000L);
        }
        retries.setBackoff(Duration.ofDays(10_000), Duration.ofDays(20_000));
        assertThat(retries.backoffNanos(9)).isPositive();
    }

    @Test
    void terminal_thatThrows_endsNothing() {
        Retries retries = new Retries();
        retries.terminal = failure -> {
            throw new IllegalStateException("on purpose");
        };

        assertThat(retries.isFinal(1, new Exception())).isFalse();
        assertThat(retries.isFinal(10, new Exception())).isTrue();
    }

    @Test
    void lease_threeQuartersOfTheSessionAfterTheLastProof_isOver() {
        Lease lease = new Lease(40, 1_000);
        assertThat(lease.isValid(1_029)).isTrue();
        assertThat(lease.isValid(1_030)).isFalse();

        lease.renew(1_020);
        lease.renew(1_010); // an earlier proof takes nothing back
        assertThat(lease.isValid(1_049)).isTrue();
        assertThat(lease.isValid(1_050)).isFalse();
        assertThat(lease.isOld(1_025)).isFalse();
        assertThat(lease.isOld(1_031)).isTrue();
    }

    @Test
    void laneKeys_compareByContent_andKeepNumbersApart() {
        LaneKeys lanes = new LaneKeys();

        assertThat(lanes.of(null)).isNull();
        assertThat(lanes.of("a")).isEqualTo("a");
        assertThat(lanes.of(new byte[] {1, 2})).isEqualTo(lanes.of(new byte[] {1, 2}));
        assertThat(lanes.of(new byte[] {1, 2})).isNotEqualTo(lanes.of(new byte[] {1, 3}));
        assertThat(lanes.of(42L)).isEqualTo(42L);
        assertThat(lanes.of(42)).isNotEqualTo(lanes.of(42L)).isEqualTo(lanes.of(42));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lanes.of(new int[0]))
                .withMessageContainingAll("int[]", "keyExtractor");
    }

    /** A key space accepts boxed numbers of one class; a consumer accepts several. */
    @Test
    void numbers_ofTwoClasses_areBothAcceptedByTheSpindle() {
        LaneKeys lanes = new LaneKeys();
        List<Object> keys = List.of(42L, 42, (short) 42);
        var space = spindle.<Object>keyed("numbers");
        for (Object key : keys) {
            Object lane = lanes.of(key);
            assertThat(lane).isNotNull();
            if (lane != null) {
                space.execute(lane, () -> {});
            }
        }
    }
}
