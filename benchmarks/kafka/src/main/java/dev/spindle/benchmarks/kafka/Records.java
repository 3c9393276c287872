// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.kafka;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.IntegerSerializer;

/** The topics of a run: each key in turn, with the number of the record among those of its key in its value. */
final class Records {
    static final int PARTITIONS = 4;

    private static final int BYTES = 100;

    private Records() {}

    /**
     * Returns the topic with so many records, which the first fork that asks for it fills. If that fork breaks off, the
     * topic stays as it is, and passes that need more records fail.
     */
    static String topic(String address, int keys, int records) throws InterruptedException {
        String topic = "records-" + keys + "-" + records;
        Map<String, Object> settings = new HashMap<>(Map.of("bootstrap.servers", address));
        try (Admin admin = Admin.create(settings)) {
            admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1)))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TopicExistsException) {
                return topic;
            }
            throw new IllegalStateException("the topic " + topic + " cannot be created", e.getCause());
        }
        settings.put("acks", "all");
        settings.put("linger.ms", 20);
        settings.put("max.in.flight.requests.per.connection", 1);
        try (KafkaProducer<Integer, byte[]> producer =
                new KafkaProducer<>(settings, new IntegerSerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                byte[] value = ByteBuffer.allocate(BYTES).putInt(i / keys).array();
                var unused = producer.send(new ProducerRecord<>(topic, i % keys, value), (sent, failure) -> {
                    if (failure != null) {
                        failure.printStackTrace();
                        Runtime.getRuntime().halt(1);
                    }
                });
            }
        }
        return topic;
    }

    /** Returns the number of a record among those of its key. */
    static int number(byte[] value) {
        return ByteBuffer.wrap(value).getInt();
    }
}
