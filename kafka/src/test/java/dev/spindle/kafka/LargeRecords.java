// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import dev.spindle.Spindle;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The program of a JVM with a small heap: handles large records slowly, and ends with status 0. */
final class LargeRecords {
    private LargeRecords() {}

    /** The arguments are the address of the broker, the topic, and the number of records. */
    public static void main(String[] arguments) throws Exception {
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", arguments[0]);
        properties.put("group.id", arguments[1]);
        properties.put("auto.offset.reset", "earliest");
        CountDownLatch left = new CountDownLatch(Integer.parseInt(arguments[2]));
        long most = 0;
        try (Spindle spindle = Spindle.builder().maxThreads(4).build()) {
            KeyedConsumer<byte[], byte[]> consumer = KeyedConsumer.builder(
                            spindle, properties, (KeyedRecord<byte[], byte[]> record) -> {
                                boolean unused = Spindle.callBlocking(
                                        () -> new CountDownLatch(1).await(5, TimeUnit.MILLISECONDS));
                                left.countDown();
                            })
                    .topics(arguments[1])
                    .deserializers(new ByteArrayDeserializer(), new ByteArrayDeserializer())
                    .maxBytes(16 << 20)
                    .start();
            while (!left.await(10, TimeUnit.MILLISECONDS)) {
                most = Math.max(most, consumer.stats().bytes());
                if (consumer.terminated().isDone()) {
                    System.exit(2);
                }
            }
            boolean within = most <= 16 << 20;
            boolean done = consumer.close(Duration.ofSeconds(20)).abandoned() == 0;
            System.exit(within && done ? 0 : 3);
        }
    }
}
