// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.kafka;

import dev.spindle.Spindle;
import dev.spindle.kafka.KeyedConsumer;
import io.confluent.parallelconsumer.ParallelConsumerOptions;
import io.confluent.parallelconsumer.ParallelConsumerOptions.ProcessingOrder;
import io.confluent.parallelconsumer.ParallelStreamProcessor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.MessageListener;

/** The contenders: each starts to consume a topic, and returns the way to end that. */
enum Consumers {
    /** A loop that polls and handles each record itself: the physical limit for handlers that do nothing. */
    RAW {
        @Override
        Ending start(Map<String, Object> properties, String topic, int threads, Handler handler) {
            properties.put("enable.auto.commit", true);
            properties.put("auto.commit.interval.ms", COMMIT_MILLIS);
            RawLoop loop = new RawLoop(properties, topic, handler);
            Thread thread = new Thread(loop, "raw-loop");
            thread.start();
            return () -> {
                loop.ended = true;
                thread.join();
            };
        }
    },
    PARALLEL_CONSUMER {
        @Override
        Ending start(Map<String, Object> properties, String topic, int threads, Handler handler) {
            KafkaConsumer<Integer, byte[]> consumer = consumer(properties);
            ParallelStreamProcessor<Integer, byte[]> processor =
                    ParallelStreamProcessor.createEosStreamProcessor(ParallelConsumerOptions.<Integer, byte[]>builder()
                            .ordering(ProcessingOrder.KEY)
                            .maxConcurrency(threads)
                            .commitInterval(Duration.ofMillis(COMMIT_MILLIS))
                            .consumer(consumer)
                            .build());
            processor.subscribe(List.of(topic));
            processor.poll(context -> handler.handle(context.key(), context.value()));
            return processor::closeDontDrainFirst;
        }
    },
    SPRING {
        @Override
        Ending start(Map<String, Object> properties, String topic, int threads, Handler handler) {
            ContainerProperties container = new ContainerProperties(topic);
            container.setMessageListener(
                    (MessageListener<Integer, byte[]>) record -> handler.handle(record.key(), record.value()));
            container.setGroupId(String.valueOf(properties.get("group.id")));
            ConcurrentMessageListenerContainer<Integer, byte[]> listeners = new ConcurrentMessageListenerContainer<>(
                    new DefaultKafkaConsumerFactory<>(
                            properties, new IntegerDeserializer(), new ByteArrayDeserializer()),
                    container);
            listeners.setConcurrency(Records.PARTITIONS);
            listeners.start();
            return listeners::stop;
        }
    },
    SPINDLE {
        @Override
        Ending start(Map<String, Object> properties, String topic, int threads, Handler handler) {
            Spindle spindle = Spindle.builder()
                    .maxThreads(Math.max(threads, LEAST_THREADS))
                    .build();
            KeyedConsumer<Integer, byte[]> consumer = KeyedConsumer.<Integer, byte[]>builder(
                            spindle,
                            properties,
                            record -> handler.handle(
                                    Objects.requireNonNull(record.key()), Objects.requireNonNull(record.value())))
                    .deserializers(new IntegerDeserializer(), new ByteArrayDeserializer())
                    .topics(topic)
                    .maxConcurrency(threads)
                    .commitInterval(Duration.ofMillis(COMMIT_MILLIS))
                    .start();
            return () -> {
                consumer.close(Duration.ZERO);
                spindle.shutdownNow();
            };
        }
    };

    static final int COMMIT_MILLIS = 500;

    private static final int LEAST_THREADS = 16;

    private static KafkaConsumer<Integer, byte[]> consumer(Map<String, Object> properties) {
        properties.put("enable.auto.commit", false);
        return new KafkaConsumer<>(properties, new IntegerDeserializer(), new ByteArrayDeserializer());
    }

    /**
     * Starts to consume.
     *
     * @param properties the properties of the consumer, which may be changed
     * @param threads the number of records that may be handled at once, for contenders that have such a bound
     */
    abstract Ending start(Map<String, Object> properties, String topic, int threads, Handler handler);

    /** The end of a consumer. */
    interface Ending {
        void end() throws Exception;
    }

    /** The loop of {@link #RAW}. */
    private static final class RawLoop implements Runnable {
        private final Map<String, Object> properties;
        private final String topic;
        private final Handler handler;
        private volatile boolean ended;

        RawLoop(Map<String, Object> properties, String topic, Handler handler) {
            this.properties = properties;
            this.topic = topic;
            this.handler = handler;
        }

        @Override
        public void run() {
            try (KafkaConsumer<Integer, byte[]> consumer =
                    new KafkaConsumer<>(properties, new IntegerDeserializer(), new ByteArrayDeserializer())) {
                consumer.subscribe(List.of(topic));
                while (!ended) {
                    for (ConsumerRecord<Integer, byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                        handler.handle(record.key(), record.value());
                        if (ended) {
                            break;
                        }
                    }
                }
            }
        }
    }
}
