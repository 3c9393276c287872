// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker for tests: one node, with KRaft, in a JVM of its own, at free ports of the loopback address. It needs
 * Kafka's server, {@code org.apache.kafka:kafka_2.13}, on the class path, and no container.
 *
 * <p>Address, ports and data stay the same over {@link #stop}, {@link #kill} and {@link #start}, so clients see one
 * broker that comes and goes. Topics are not created by their use, a new group waits for no further members, heartbeats
 * are frequent and short session time-outs are allowed, so that rebalances take parts of a second. The broker's JVM
 * ends with this one, in whatever way this one ends. {@link #close}, or else the orderly end of this JVM, deletes the
 * data.
 *
 * <p>Thread-safe; one method runs at a time. Methods block, and throw an IllegalStateException if they are interrupted.
 */
public final class KafkaBroker implements AutoCloseable {
    static final Set<String> OWN_PROPERTIES = Set.of(
            "process.roles",
            "node.id",
            "controller.quorum.bootstrap.servers",
            "listeners",
            "advertised.listeners",
            "controller.listener.names",
            "listener.security.protocol.map",
            "log.dirs");

    private static final long STOP_SECONDS = 30; // not measured
    private static final int REQUEST_MILLIS = 20_000; // not measured

    private final Map<String, String> properties;
    private final Duration startLimit;
    private final List<String> jvmArguments;
    private final String classPath;
    private final Path directory;
    private final int port;
    private final int controllerPort;
    private final String cluster = newClusterId();
    /** Deletes the data when this JVM ends before the broker is closed. */
    private final Thread hook = new Thread(this::end, "kafka-broker-end");

    // Guarded by this.
    private boolean formatted;
    private boolean closed;
    private @Nullable Process process;

    KafkaBroker(
            Map<String, String> chosen,
            int heapMegabytes,
            Duration startLimit,
            List<String> jvmArguments,
            String classPath) {
        this.startLimit = startLimit;
        this.jvmArguments = new ArrayList<>(List.of("-Xmx" + heapMegabytes + "m"));
        this.jvmArguments.addAll(jvmArguments);
        this.classPath = classPath;
        directory = BrokerProcess.newDirectory();
        port = BrokerProcess.freePort();
        controllerPort = BrokerProcess.freePort();
        properties = new TreeMap<>(Map.ofEntries(
                Map.entry("num.partitions", "4"),
                Map.entry("auto.create.topics.enable", "false"),
                Map.entry("offsets.topic.replication.factor", "1"),
                Map.entry("offsets.topic.num.partitions", "4"),
                Map.entry("transaction.state.log.replication.factor", "1"),
                Map.entry("transaction.state.log.min.isr", "1"),
                Map.entry("transaction.state.log.num.partitions", "4"),
                Map.entry("share.coordinator.state.topic.replication.factor", "1"),
                Map.entry("share.coordinator.state.topic.min.isr", "1"),
                Map.entry("share.coordinator.state.topic.num.partitions", "4"),
                Map.entry("group.initial.rebalance.delay.ms", "0"),
                Map.entry("group.min.session.timeout.ms", "500"),
                Map.entry("group.consumer.min.session.timeout.ms", "500"),
                Map.entry("group.consumer.session.timeout.ms", "6000"),
                Map.entry("group.consumer.min.heartbeat.interval.ms", "100"),
                Map.entry("group.consumer.heartbeat.interval.ms", "500"),
                Map.entry("num.network.threads", "2"),
                Map.entry("num.io.threads", "2"),
                // The default, 128 MiB, is more than the heap.
                Map.entry("log.cleaner.dedupe.buffer.size", "4194304")));
        properties.putAll(chosen);
        properties.putAll(ownProperties());
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private Map<String, String> ownProperties() {
        String listeners = "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort;
        return Map.of(
                "process.roles",
                "broker,controller",
                "node.id",
                "1",
                "controller.quorum.bootstrap.servers",
                "127.0.0.1:" + controllerPort,
                "listeners",
                listeners,
                "advertised.listeners",
                listeners,
                "controller.listener.names",
                "CONTROLLER",
                "listener.security.protocol.map",
                "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                "log.dirs",
                directory.resolve("data").toString());
    }

    /** Returns a builder. */
    public static KafkaBrokerBuilder builder() {
        return new KafkaBrokerBuilder();
    }

    /** Returns the address for {@code bootstrap.servers}, which is known before the first start. */
    public String bootstrap() {
        return "127.0.0.1:" + port;
    }

    /** Returns the file with the output of the broker's JVM. */
    public Path log() {
        return directory.resolve("broker.log");
    }

    /** Returns true if the broker's JVM runs. */
    public synchronized boolean isRunning() {
        return process != null && process.isAlive();
    }

    /**
     * Starts the broker, for the first time or after {@link #stop} or {@link #kill}, and waits until it answers.
     *
     * @throws IllegalStateException if it runs already or is closed, or if it does not start within its limit; the
     *     message has the end of its log
     */
    public synchronized void start() {
        if (closed) {
            throw new IllegalStateException("the broker at " + bootstrap() + " is closed");
        }
        if (isRunning()) {
            throw new IllegalStateException("the broker at " + bootstrap() + " runs already");
        }
        long deadline = System.nanoTime() + startLimit.toNanos();
        Path file = directory.resolve("server.properties");
        BrokerProcess.write(file, properties);
        Process started =
                BrokerProcess.broker(directory, classPath, jvmArguments, file, formatted ? null : cluster, log());
        process = started;
        try {
            while (!listens()) {
                if (!started.isAlive()) {
                    throw new IllegalStateException("the broker ended at its start, exit status " + started.exitValue()
                            + "; is Kafka's server, kafka_2.13, on the class path? " + BrokerProcess.tail(log()));
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException(
                            "the broker did not start within " + startLimit + "; " + BrokerProcess.tail(log()));
                }
                if (Thread.interrupted()) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted during the start of the broker");
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            long left = Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
            request(left, admin -> admin.describeCluster().nodes());
            formatted = true;
        } catch (RuntimeException | Error e) {
            end(started, true);
            throw e;
        }
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static String newClusterId() {
        UUID id = UUID.randomUUID();
        byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(id.getMostSignificantBits() & Long.MAX_VALUE) // no leading '-', which would be an option
                .putLong(id.getLeastSignificantBits())
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Stops the broker as an operator does. Has no effect if it does not run. */
    public synchronized void stop() {
        end(process, false);
    }

    /** Ends the broker at once, as {@code kill -9} does. Has no effect if it does not run. */
    public synchronized void kill() {
        end(process, true);
    }

    /** Stops the broker and starts it again. */
    public synchronized void restart() {
        stop();
        start();
    }

    private static void end(@Nullable Process running, boolean atOnce) {
        if (running == null) {
            return;
        }
        if (!atOnce) {
            running.destroy();
        }
        try {
            if (atOnce || !running.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                running.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            running.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the broker ended; it was killed", e);
        }
    }

    /**
     * Creates a topic, and waits until each of its partitions has a leader.
     *
     * @throws IllegalStateException if the broker refuses it or does not answer
     */
    public synchronized void createTopic(String topic, int partitions) {
        request(
                REQUEST_MILLIS,
                admin -> admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                        .all());
        awaitLeaders(topic, partitions);
    }

    /**
     * Adds partitions to a topic, and waits until each has a leader.
     *
     * @param partitions the new number of partitions
     * @throws IllegalStateException if the broker refuses it or does not answer
     */
    public synchronized void growTopic(String topic, int partitions) {
        request(
                REQUEST_MILLIS,
                admin -> admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions)))
                        .all());
        awaitLeaders(topic, partitions);
    }

    private void awaitLeaders(String topic, int partitions) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(REQUEST_MILLIS);
        while (!hasLeaders(topic, partitions)) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(
                        "topic " + topic + " has no leaders for " + partitions + " partitions after 20 s");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private boolean hasLeaders(String topic, int partitions) {
        try {
            TopicDescription found = Objects.requireNonNull(request(
                    REQUEST_MILLIS,
                    admin -> Objects.requireNonNull(admin.describeTopics(List.of(topic))
                            .topicNameValues()
                            .get(topic))));
            return found.partitions().size() == partitions
                    && found.partitions().stream().allMatch(partition -> partition.leader() != null);
        } catch (IllegalStateException e) {
            if (e.getCause() instanceof org.apache.kafka.common.errors.UnknownTopicOrPartitionException) {
                return false; // this node has not learned of it yet
            }
            throw e;
        }
    }

    /** Returns the committed offsets and metadata of a group. */
    public synchronized Map<TopicPartition, OffsetAndMetadata> committed(String group) {
        return Objects.requireNonNull(request(
                REQUEST_MILLIS, admin -> admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata()));
    }

    private <T> @Nullable T request(long limitMillis, Function<Admin, KafkaFuture<T>> asked) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap());
        int millis = (int) Math.min(limitMillis, Integer.MAX_VALUE);
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis);
        try (Admin admin = Admin.create(settings)) {
            return asked.apply(admin).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "the broker at " + bootstrap() + " refused or did not answer: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the broker at " + bootstrap() + " was asked", e);
        }
    }

    /**
     * Returns settings of a producer, to which serializers are added. One request is in flight at a time: a partition
     * that is new can refuse the first batch of an idempotent producer and take the second, after which the first fails
     * until its time limit.
     */
    public Map<String, Object> producerProperties() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", bootstrap());
        settings.put("acks", "all");
        settings.put("max.in.flight.requests.per.connection", 1);
        return settings;
    }

    /** Returns settings of a consumer that begins at the first record, to which deserializers are added. */
    public Map<String, Object> consumerProperties(String group) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", bootstrap());
        settings.put("group.id", group);
        settings.put("auto.offset.reset", "earliest");
        return settings;
    }

    /** Ends the broker at once and deletes its data and its log. Further calls have no effect. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        end();
        try {
            boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // this JVM ends
        }
    }

    private synchronized void end() {
        if (!closed) {
            closed = true;
            end(process, true);
            BrokerProcess.delete(directory);
        }
    }

    @Override
    public String toString() {
        return "KafkaBroker at " + bootstrap() + (isRunning() ? "" : ", not running");
    }
}
