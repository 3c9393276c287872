// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.kafka;

import dev.spindle.Spindle;
import dev.spindle.kafka.KeyedConsumer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** A member of the group. */
interface Member {
    /** The session timeout of all groups: of the member's, or of the broker's, which a consumer has to be told. */
    int SESSION_MILLIS = 3_000;

    /** Leaves the group after a drain, and returns a report of it. */
    String end();

    /** The code that handles a record. */
    interface Work {
        void handle(String topic, int partition, long offset, String key);
    }

    /** The kinds of members. */
    enum Kind {
        /** The consumer of Spindle. */
        SPINDLE {
            @Override
            Member open(
                    Spindle spindle,
                    Map<String, Object> properties,
                    String topic,
                    Work work,
                    Consumer<Throwable> onDeath) {
                KeyedConsumer<String, String> consumer = KeyedConsumer.<String, String>builder(
                                spindle,
                                properties,
                                record -> work.handle(
                                        record.topic(),
                                        record.partition(),
                                        record.offset(),
                                        Objects.requireNonNull(record.key())))
                        .topics(List.of(topic))
                        .commitInterval(Duration.ofMillis(500))
                        .sessionTimeout(Duration.ofMillis(SESSION_MILLIS))
                        .start();
                var unused = consumer.terminated().whenComplete((ended, failure) -> {
                    if (failure != null) {
                        onDeath.accept(failure);
                    }
                });
                return () -> consumer.close(Duration.ofSeconds(20)).toString();
            }
        },
        /** A pool without order and with commits of what was polled: it shows that the check finds faults. */
        CONTROL {
            @Override
            Member open(
                    Spindle spindle,
                    Map<String, Object> properties,
                    String topic,
                    Work work,
                    Consumer<Throwable> onDeath) {
                return new Control(properties, topic, work, onDeath);
            }
        };

        abstract Member open(
                Spindle spindle, Map<String, Object> properties, String topic, Work work, Consumer<Throwable> onDeath);
    }

    /** See {@link Kind#CONTROL}. */
    final class Control implements Member {
        private static final int THREADS = 8;

        private final ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        private final Thread thread;
        private volatile boolean ended;

        Control(Map<String, Object> properties, String topic, Work work, Consumer<Throwable> onDeath) {
            thread = new Thread(() -> run(properties, topic, work, onDeath), "control");
            thread.start();
        }

        private void run(Map<String, Object> properties, String topic, Work work, Consumer<Throwable> onDeath) {
            try (KafkaConsumer<String, String> consumer =
                    new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
                consumer.subscribe(List.of(topic));
                while (!ended) {
                    for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                        pool.execute(
                                () -> work.handle(record.topic(), record.partition(), record.offset(), record.key()));
                    }
                    consumer.commitAsync();
                }
            } catch (RuntimeException e) {
                onDeath.accept(e);
            }
        }

        @Override
        public String end() {
            ended = true;
            try {
                thread.join();
                pool.shutdown();
                return pool.awaitTermination(20, TimeUnit.SECONDS) ? "drained" : "not drained";
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return "interrupted";
            }
        }
    }
}
