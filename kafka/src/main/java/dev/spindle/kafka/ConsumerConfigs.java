// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/** The properties of the clients, made of those of the user. */
final class ConsumerConfigs {
    /** The client's own default of {@code max.poll.records}. Not measured. */
    private static final int POLL_RECORDS = 500;

    /** The client's own default of {@code fetch.max.bytes}. Not measured. */
    private static final int FETCH_BYTES = 52_428_800;

    /** The client's own default of {@code max.partition.fetch.bytes}. Not measured. */
    private static final int PARTITION_BYTES = 1_048_576;

    /** The client's own default of {@code max.poll.interval.ms}. Not measured. */
    private static final long POLL_INTERVAL_MILLIS = 300_000;

    /** The client's own default of {@code session.timeout.ms}, and the broker's for its groups. Not measured. */
    private static final long SESSION_MILLIS = 45_000;

    /** The longest wait of a send of a dead letter for the metadata of its topic. Not measured. */
    private static final int DEAD_LETTER_BLOCK_MILLIS = 10_000;

    private static final Set<String> CONNECTION = Set.of(
            CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG,
            CommonClientConfigs.SECURITY_PROTOCOL_CONFIG,
            CommonClientConfigs.CLIENT_DNS_LOOKUP_CONFIG,
            CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG,
            CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG,
            CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG,
            CommonClientConfigs.RETRY_BACKOFF_MS_CONFIG,
            CommonClientConfigs.RETRY_BACKOFF_MAX_MS_CONFIG,
            CommonClientConfigs.CONNECTIONS_MAX_IDLE_MS_CONFIG,
            CommonClientConfigs.METADATA_MAX_AGE_CONFIG);

    private ConsumerConfigs() {}

    /** Returns a copy with string keys; that of a {@link Properties} has its defaults, too. */
    static Map<String, Object> copyOf(Map<?, ?> properties) {
        Map<String, Object> copy = new HashMap<>();
        if (properties instanceof Properties withDefaults) {
            for (String name : withDefaults.stringPropertyNames()) {
                String value = withDefaults.getProperty(name);
                if (value != null) {
                    copy.put(name, value);
                }
            }
        }
        properties.forEach((name, value) -> {
            if (!(name instanceof String text)) {
                throw new IllegalArgumentException("names of properties must be strings, is " + name);
            }
            if (value != null) {
                copy.put(text, value);
            }
        });
        return copy;
    }

    /**
     * Returns the properties of the inner consumer.
     *
     * @throws IllegalArgumentException if a property does not fit
     */
    static Map<String, Object> ofConsumer(Map<String, Object> given, int maxRecords, long maxBytes) {
        Map<String, Object> configs = new HashMap<>(given);
        Object group = given.get(ConsumerConfig.GROUP_ID_CONFIG);
        if (group == null || group.toString().isBlank()) {
            throw new IllegalArgumentException("group.id must be set, is " + group);
        }
        if (!given.containsKey(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG)) {
            throw new IllegalArgumentException("bootstrap.servers must be set, such as to localhost:9092");
        }
        Object auto = given.get(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG);
        if (auto != null && Boolean.parseBoolean(auto.toString())) {
            throw new IllegalArgumentException(
                    "enable.auto.commit must be false or absent, is " + auto + ": offsets are committed when done");
        }
        configs.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        configs.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        configs.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        long records = number(given, ConsumerConfig.MAX_POLL_RECORDS_CONFIG, POLL_RECORDS);
        configs.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, (int) Math.min(records, maxRecords / 2));
        int quarter = (int) Math.min(Integer.MAX_VALUE, maxBytes / 4);
        long fetch = number(given, ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        configs.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, (int) Math.min(fetch, quarter));
        long ofPartition = number(given, ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, PARTITION_BYTES);
        configs.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, (int) Math.min(ofPartition, quarter));
        return configs;
    }

    /** Returns the properties of a producer that connects as the consumer of {@code consumer} does. */
    static Map<String, Object> ofProducer(Map<String, Object> consumer, Map<String, Object> given) {
        Map<String, Object> configs = new HashMap<>();
        consumer.forEach((name, value) -> {
            if (CONNECTION.contains(name) || name.startsWith("ssl.") || name.startsWith("sasl.")) {
                configs.put(name, value);
            }
        });
        configs.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        configs.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
        configs.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, DEAD_LETTER_BLOCK_MILLIS);
        configs.putAll(given);
        configs.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        configs.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        return configs;
    }

    static int maxPollRecords(Map<String, Object> configs) {
        return (int) number(configs, ConsumerConfig.MAX_POLL_RECORDS_CONFIG, POLL_RECORDS);
    }

    static long maxPollIntervalMillis(Map<String, Object> configs) {
        return number(configs, ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, POLL_INTERVAL_MILLIS);
    }

    static long sessionMillis(Map<String, Object> configs) {
        Object protocol = configs.get("group.protocol");
        boolean classic =
                protocol == null || protocol.toString().toUpperCase(Locale.ROOT).equals("CLASSIC");
        return classic ? number(configs, ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_MILLIS) : SESSION_MILLIS;
    }

    /** Returns the name of the consumer in threads and messages. */
    static String name(Map<String, Object> configs, @Nullable String given) {
        Object id = configs.get(ConsumerConfig.CLIENT_ID_CONFIG);
        return given != null ? given : String.valueOf(id != null ? id : configs.get(ConsumerConfig.GROUP_ID_CONFIG));
    }

    private static long number(Map<String, Object> configs, String name, long or) {
        Object value = configs.get(name);
        if (value == null) {
            return or;
        }
        try {
            return Long.parseLong(value.toString().trim());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " must be a number, is " + value, e);
        }
    }

    /** Returns {@code given}, or else a new deserializer by the property {@code name}. */
    static <T> Deserializer<? extends T> deserializer(
            Map<String, Object> configs, String name, boolean isKey, @Nullable Deserializer<? extends T> given) {
        if (given != null) {
            return given;
        }
        Object value = configs.get(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    name + " must be set to a class of Deserializer, or deserializers() be called");
        }
        try {
            Class<?> type = value instanceof Class<?> named
                    ? named
                    : load(value.toString().trim());
            Object created = type.getDeclaredConstructor().newInstance();
            if (!(created instanceof Deserializer<?> deserializer)) {
                throw new IllegalArgumentException(name + " must be a class of Deserializer, is " + type.getName());
            }
            deserializer.configure(configs, isKey);
            @SuppressWarnings("unchecked") // as in the client, the property is trusted
            Deserializer<? extends T> trusted = (Deserializer<? extends T>) deserializer;
            return trusted;
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(name + " must be a class with a public constructor, is " + value, e);
        }
    }

    private static Class<?> load(String name) throws ClassNotFoundException {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader own = Objects.requireNonNull(ConsumerConfigs.class.getClassLoader());
        return Class.forName(name, true, context != null ? context : own);
    }
}
