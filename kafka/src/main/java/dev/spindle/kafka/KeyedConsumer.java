// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import dev.spindle.Spindle;
import dev.spindle.internal.Pool;
import dev.spindle.internal.SpindleParts;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * A member of a consumer group whose records run on the lanes of a {@link Spindle}: records of one key are handled one
 * at a time and in order, records of different keys in parallel.
 *
 * <pre>{@code
 * KeyedConsumer<String, String> consumer = KeyedConsumer.builder(
 *                 spindle, properties, (KeyedRecord<String, String> record) -> book(record.key(), record.value()))
 *         .topics("orders")
 *         .afterFailure(FailurePolicy.deadLetter("orders-dead"))
 *         .start();
 * }</pre>
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread.
 *
 * <p><b>Ordering.</b> Calls for records of one key never overlap and follow the order of their partition: in this
 * process, across processes of the group, and across revocation and reassignment. Two kinds of running calls cannot be
 * stopped, and may overlap with a call of the next owner: a call that outlasts the drain time of a revocation, and the
 * calls of a process that was frozen or cut off from the broker past its session. Neither process begins another call
 * of the old assignment once it has read the clock or has learned of the loss.
 *
 * <p><b>Delivery.</b> At least once. A committed offset means that the record, and all before it, are done: handled,
 * superseded, or given up by the {@link FailurePolicy}. What is done above the committed offset is kept in the commit's
 * metadata, as far as it fits, and is not repeated by the next owner. A record is repeated if it was done and could not
 * be committed, for example in the {@link KeyedConsumerBuilder#commitInterval} before a crash.
 *
 * <p><b>Threads.</b> One thread polls and commits. Handlers run on the workers of the spindle. A record that waits for
 * its next attempt, or for the record before it, holds no thread.
 *
 * <p><b>Back-pressure.</b> The intake is paused while {@link KeyedConsumerBuilder#maxRecords} or
 * {@link KeyedConsumerBuilder#maxBytes} would be exceeded. The consumer goes on polling, and stays a member of the
 * group. A record that is slow, or fails again and again, keeps no other key from being handled within these bounds.
 *
 * <p><b>Memory consistency effects.</b> A call for a key happens-before the next call for the key in this process.
 *
 * <p><b>Closing.</b> {@link #close(Duration)} handles what was taken in, commits, and leaves the group. Close the
 * consumer before its spindle: a consumer whose spindle is shut down ends with a failure.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class KeyedConsumer<K, V> implements AutoCloseable {
    /** What a close may take beyond its limit: less than a second. Not measured. */
    private static final long GRACE_NANOS = 950_000_000;

    private final String name;
    private final Spindle spindle;
    private final PollLoop<K, V> loop;
    private final Thread thread;
    private final Duration closeTimeout;

    private KeyedConsumer(String name, Spindle spindle, PollLoop<K, V> loop, Duration closeTimeout) {
        this.name = name;
        this.spindle = spindle;
        this.loop = loop;
        this.closeTimeout = closeTimeout;
        thread = new Thread(loop, "spindle-kafka-" + name);
        thread.setDaemon(false);
    }

    /**
     * Returns a builder of a consumer whose handler returns when it has handled the record.
     *
     * @param properties the properties of Kafka's consumer, by name; a {@link java.util.Properties} with its defaults
     * @throws IllegalArgumentException if the name of a property is no string
     */
    public static <K, V> KeyedConsumerBuilder<K, V> builder(
            Spindle spindle, Map<?, ?> properties, KeyedHandler<K, V> handler) {
        return new KeyedConsumerBuilder<>(spindle, properties, Objects.requireNonNull(handler, "handler"), null);
    }

    /**
     * Returns a builder of a consumer whose handler returns a stage.
     *
     * @param properties the properties of Kafka's consumer, by name; a {@link java.util.Properties} with its defaults
     * @throws IllegalArgumentException if the name of a property is no string
     */
    public static <K, V> KeyedConsumerBuilder<K, V> asyncBuilder(
            Spindle spindle, Map<?, ?> properties, AsyncKeyedHandler<K, V> handler) {
        return new KeyedConsumerBuilder<>(spindle, properties, null, Objects.requireNonNull(handler, "handler"));
    }

    /** Starts a consumer, with a client that {@code client} makes of its properties. */
    static <K, V> KeyedConsumer<K, V> start(
            KeyedConsumerBuilder<K, V> options, Function<Map<String, Object>, Consumer<byte[], byte[]>> client) {
        Map<String, Object> configs =
                ConsumerConfigs.ofConsumer(options.properties, options.maxRecords, options.maxBytes);
        if (options.topics.isEmpty() == (options.pattern == null)) {
            throw new IllegalArgumentException(
                    "either topics or a pattern must be set, is " + options.topics + " and " + options.pattern);
        }
        if (options.coalescing && options.order != Order.KEY) {
            throw new IllegalArgumentException("coalescing requires the order KEY, is " + options.order);
        }
        String name = ConsumerConfigs.name(configs, options.name);
        long pollIntervalMillis = ConsumerConfigs.maxPollIntervalMillis(configs);
        Duration drainTime = options.drainTime != null ? options.drainTime : Duration.ofMillis(pollIntervalMillis / 4);
        if (drainTime.toMillis() > pollIntervalMillis / 2) {
            throw new IllegalArgumentException("drainTime must be at most half of max.poll.interval.ms, "
                    + pollIntervalMillis / 2 + " ms, is " + drainTime);
        }
        Duration session = options.sessionTimeout != null
                ? options.sessionTimeout
                : Duration.ofMillis(ConsumerConfigs.sessionMillis(configs));
        Deserializer<? extends K> keys = ConsumerConfigs.deserializer(
                options.properties, ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, true, options.keyDeserializer);
        Deserializer<? extends V> values = ConsumerConfigs.deserializer(
                options.properties, ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, false, options.valueDeserializer);
        options.use();
        DeadLetters<K, V> deadLetters = isDeadLetter(options.retries.afterFailure) || isDeadLetter(options.onUnreadable)
                ? new DeadLetters<>(ConsumerConfigs.ofProducer(options.properties, options.producerProperties))
                : null;
        Consumer<byte[], byte[]> consumer;
        try {
            consumer = client.apply(configs);
        } catch (RuntimeException | Error e) {
            if (deadLetters != null) {
                deadLetters.close(Duration.ZERO);
            }
            throw e;
        }
        Calls<K, V> calls = new Calls<>(
                options.spindle,
                "kafka " + name,
                options.maxConcurrency,
                options.handler,
                options.asyncHandler,
                options.coalescing,
                options.retries,
                deadLetters);
        int pollRecords = ConsumerConfigs.maxPollRecords(configs);
        PollLoop<K, V> loop = new PollLoop<>(
                name,
                options,
                consumer,
                calls,
                (works, membership) ->
                        new Intake<>(consumer, works, calls, membership, options, keys, values, pollRecords),
                deadLetters,
                session.toNanos(),
                drainTime.toNanos());
        KeyedConsumer<K, V> started = new KeyedConsumer<>(name, options.spindle, loop, options.closeTimeout);
        SpindleParts.add(options.spindle, loop);
        started.thread.start();
        return started;
    }

    private static boolean isDeadLetter(FailurePolicy policy) {
        return policy.kind == FailurePolicy.Kind.DEAD_LETTER;
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /**
     * Returns a future that completes when the consumer has left its group: after a close, or with the failure that has
     * ended the poll loop. Completing the future affects nothing else. Dependents run on the thread of the loop, which
     * then ends.
     */
    public CompletableFuture<@Nullable Void> terminated() {
        return loop.terminated();
    }

    /**
     * Returns true if a record has been unfinished for longer than {@link KeyedConsumerBuilder#stalledAfter}, or if the
     * poll loop has not polled for that time. Takes time in proportion to the number of assigned partitions. A key that
     * is parked stalls the consumer, too, so this is a question for an alert, and not for a restart.
     */
    public boolean stalled() {
        return loop.isStalled();
    }

    /**
     * Returns the current counts. Takes time in proportion to the numbers of assigned partitions, keys and records in
     * memory.
     */
    public ConsumerStats stats() {
        return loop.stats();
    }

    /**
     * Does what {@link #close(Duration)} does with the {@link KeyedConsumerBuilder#closeTimeout}.
     *
     * @throws IllegalStateException if called by a worker of the spindle, or by the poll loop
     */
    @Override
    public void close() {
        ConsumerReport unused = close(closeTimeout);
    }

    /**
     * Stops the intake, waits until the records that were taken in are done, at most for {@code timeout}, commits, and
     * leaves the group. Records that wait for their next attempt are not waited for. Returns at most 1 s after the
     * limit, even if handlers are stuck: a call that runs by then is not interrupted, and its record is repeated by the
     * next owner. No further call begins after this method has returned. If the calling thread is interrupted, the
     * limit is reached at once, and the interrupt flag is set when this method returns. Further calls wait for the same
     * end, by the earliest of their limits.
     *
     * @return the records that were done and abandoned, and what was committed
     * @throws IllegalArgumentException if {@code timeout} is negative
     * @throws IllegalStateException if called by a worker of the spindle, or by the poll loop
     */
    public ConsumerReport close(Duration timeout) {
        if (Objects.requireNonNull(timeout, "timeout").isNegative()) {
            throw new IllegalArgumentException("timeout must not be negative, is " + timeout);
        }
        if (Thread.currentThread() == thread || Pool.of(spindle).isWorking()) {
            throw new IllegalStateException("consumer " + name + " cannot be closed by the thread "
                    + Thread.currentThread().getName() + ", for whose work the close would wait");
        }
        long most = Long.MAX_VALUE / 4;
        long nanos = timeout.compareTo(Duration.ofNanos(most)) < 0 ? timeout.toNanos() : most;
        loop.close(spindle.nanoTime() + nanos);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return loop.awaitEnd(nanos + GRACE_NANOS);
                } catch (InterruptedException e) {
                    interrupted = true;
                    nanos = 0;
                    loop.close(spindle.nanoTime());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns a string with the name and the counts. */
    @Override
    public String toString() {
        return stats().toString();
    }
}
