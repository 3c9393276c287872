// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.kafka;

import dev.spindle.demo.flights.FlightEvent;
import dev.spindle.demo.flights.Timeline;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** The topic of a run, which is deleted at the end, and the group that has the name of the topic. */
final class DemoTopic implements AutoCloseable {
    private static final int LIMIT_MILLIS = 20_000;
    private static final int LEAVE_SECONDS = 3;

    private final String bootstrap;
    private final String topic;
    private final Admin admin;
    private final Map<TopicPartition, Long> ends = new HashMap<>();

    private DemoTopic(String bootstrap, String topic, Admin admin) {
        this.bootstrap = bootstrap;
        this.topic = topic;
        this.admin = admin;
    }

    /** Creates a topic with the broker's own number of replicas. */
    static DemoTopic create(String bootstrap, String topic, int partitions)
            throws NoBrokerException, InterruptedException {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", bootstrap);
        settings.put("request.timeout.ms", LIMIT_MILLIS);
        settings.put("default.api.timeout.ms", LIMIT_MILLIS);
        DemoTopic created = new DemoTopic(bootstrap, topic, Admin.create(settings));
        try {
            NewTopic asked = new NewTopic(topic, Optional.of(partitions), Optional.empty());
            created.await(created.admin.createTopics(List.of(asked)).all());
        } catch (NoBrokerException e) {
            created.admin.close();
            throw e;
        }
        return created;
    }

    private <T> T await(KafkaFuture<T> answer) throws NoBrokerException, InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw refused(e.getCause() == null ? e : e.getCause());
        }
    }

    private NoBrokerException refused(Throwable cause) {
        return new NoBrokerException(
                "the broker at " + bootstrap + " does not answer, or refuses: " + cause.getMessage()
                        + "; leave --bootstrap out for a broker of the demo's own",
                cause);
    }

    /** Sends all events, and waits until the broker has them. */
    void send(Timeline timeline) throws NoBrokerException {
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", bootstrap);
        settings.put("acks", "all");
        settings.put("linger.ms", 5);
        settings.put("max.in.flight.requests.per.connection", 1);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            for (FlightEvent event : timeline.events()) {
                String tail = timeline.tails().get(event.aircraft());
                String text = Airframe.Event.of(event).text();
                var unused = producer.send(new ProducerRecord<>(topic, tail, text), (sent, refused) -> {
                    if (refused != null) {
                        failure.compareAndSet(null, refused);
                    } else {
                        ends.merge(new TopicPartition(topic, sent.partition()), sent.offset() + 1, Math::max);
                    }
                });
            }
            producer.flush(); // after it no callback runs
        }
        Exception refused = failure.get();
        if (refused != null) {
            throw refused(refused);
        }
    }

    /** Returns how many of the events that were sent the group has committed. */
    long committed() throws NoBrokerException, InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> committed =
                await(admin.listConsumerGroupOffsets(topic).partitionsToOffsetAndMetadata());
        long sum = 0;
        for (TopicPartition partition : ends.keySet()) {
            OffsetAndMetadata offset = committed.get(partition);
            sum += offset == null ? 0 : offset.offset();
        }
        return sum;
    }

    /** Deletes the topic from a thread that ends this JVM, unless the broker takes too long. */
    void delete() {
        try {
            admin.deleteTopics(List.of(topic)).all().get(LEAVE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // the topic stays; its name tells what it was
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        var topics = admin.deleteTopics(List.of(topic));
        var groups = admin.deleteConsumerGroups(List.of(topic));
        try {
            await(topics.all());
            await(groups.all());
        } catch (NoBrokerException e) {
            // the topic stays; its name tells what it was
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            admin.close();
        }
    }
}
