// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.kafka;

import dev.spindle.kafka.testkit.CallJournal;
import dev.spindle.kafka.testkit.KafkaBroker;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** A thread that sends records at a steady rate, and a journal of what the broker has acknowledged. */
final class Load implements AutoCloseable {
    private static final long TICK_MILLIS = 10;
    /** How long records wait for a broker: on a busy machine a restart takes longer than the client's two minutes. */
    private static final int LONGEST_OUTAGE_MILLIS = 600_000;

    private final CallJournal journal;
    private final KafkaProducer<String, String> producer;
    private final String topic;
    private final int keys;
    private final int perTick;
    private final Thread thread = new Thread(this::run, "load");
    private final AtomicLong sent = new AtomicLong();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final Map<TopicPartition, Long> ends = new ConcurrentHashMap<>();
    private volatile boolean stopped;

    private Load(KafkaBroker broker, Path journal, String topic, int keys, int perSecond) {
        this.journal = CallJournal.open(journal);
        Map<String, Object> properties = broker.producerProperties();
        properties.put("linger.ms", 5);
        properties.put("delivery.timeout.ms", LONGEST_OUTAGE_MILLIS);
        properties.put("max.block.ms", LONGEST_OUTAGE_MILLIS);
        producer = new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer());
        this.topic = topic;
        this.keys = keys;
        this.perTick = Math.max(1, (int) (perSecond * TICK_MILLIS / TimeUnit.SECONDS.toMillis(1)));
    }

    static Load start(KafkaBroker broker, Path journal, String topic, int keys, int perSecond) {
        Load load = new Load(broker, journal, topic, keys, perSecond);
        load.thread.start();
        return load;
    }

    private void run() {
        Random random = new Random(sent.hashCode());
        long next = System.nanoTime();
        while (!stopped) {
            for (int i = 0; i < perTick; i++) {
                send("key-" + random.nextInt(keys));
            }
            next += TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
            LockSupport.parkNanos(next - System.nanoTime());
        }
    }

    private void send(String key) {
        long number = sent.incrementAndGet();
        var unused = producer.send(new ProducerRecord<>(topic, key, Long.toString(number)), (where, refused) -> {
            if (refused != null) {
                failure.compareAndSet(null, refused);
            } else {
                journal.sent(topic, where.partition(), where.offset(), key);
                ends.merge(new TopicPartition(topic, where.partition()), where.offset() + 1, Math::max);
            }
        });
    }

    /** Waits until so many more records have been sent: the clock of a storm. */
    void awaitFurther(int records) {
        long wanted = sent.get() + records;
        while (sent.get() < wanted && thread.isAlive()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS));
        }
    }

    /** Stops, waits until the broker has acknowledged everything, and returns the end of each partition. */
    Map<TopicPartition, Long> stop() throws InterruptedException {
        stopped = true;
        thread.join();
        producer.flush();
        Exception refused = failure.get();
        if (refused != null) {
            throw new IllegalStateException("a record was not sent", refused);
        }
        return Map.copyOf(ends);
    }

    @Override
    public void close() {
        stopped = true;
        producer.close();
        journal.close();
    }
}
