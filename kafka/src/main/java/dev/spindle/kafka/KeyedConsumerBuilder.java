// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import dev.spindle.Spindle;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Builds one {@link KeyedConsumer}. Not thread-safe. Either {@link #topics} or {@link #pattern} is required; the rest
 * has defaults.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class KeyedConsumerBuilder<K, V> {
    final Spindle spindle;
    final Map<String, Object> properties;
    final @Nullable KeyedHandler<K, V> handler; // exactly one of the two handlers is not null
    final @Nullable AsyncKeyedHandler<K, V> asyncHandler;
    final Retries retries = new Retries();
    Map<String, Object> producerProperties = Map.of();
    Set<String> topics = Set.of();

    @Nullable
    Pattern pattern;

    @Nullable
    Deserializer<? extends K> keyDeserializer;

    @Nullable
    Deserializer<? extends V> valueDeserializer;

    @Nullable
    Function<? super KeyedRecord<K, V>, ? extends @Nullable Object> keyExtractor;

    @Nullable
    String name;

    Order order = Order.KEY;
    boolean coalescing;
    int maxConcurrency = Integer.MAX_VALUE;
    int maxRecords = 10_000;
    long maxBytes = 64L << 20;
    int maxMetadata = 4_096;
    FailurePolicy onUnreadable = FailurePolicy.stop();
    Duration commitInterval = Duration.ofMillis(500);

    @Nullable
    Duration drainTime;

    @Nullable
    Duration sessionTimeout;

    Duration stalledAfter = Duration.ofMinutes(1);
    Duration closeTimeout = Duration.ofSeconds(30);
    private boolean started;

    KeyedConsumerBuilder(
            Spindle spindle,
            Map<?, ?> properties,
            @Nullable KeyedHandler<K, V> handler,
            @Nullable AsyncKeyedHandler<K, V> asyncHandler) {
        this.spindle = Objects.requireNonNull(spindle, "spindle");
        this.properties = ConsumerConfigs.copyOf(properties);
        this.handler = handler;
        this.asyncHandler = asyncHandler;
    }

    /**
     * Sets the topics. A topic that does not exist is consumed as soon as the client has discovered its creation, which
     * takes up to {@code metadata.max.age.ms}.
     *
     * @throws IllegalArgumentException if there is no topic, or if one is blank
     */
    public KeyedConsumerBuilder<K, V> topics(Collection<String> topics) {
        Set<String> all = new TreeSet<>(topics);
        if (all.isEmpty() || all.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("topics must be one or more names that are not blank, is " + topics);
        }
        this.topics = all;
        return this;
    }

    /** Sets the topics, as {@link #topics(Collection)} does. */
    public KeyedConsumerBuilder<K, V> topics(String... topics) {
        return topics(List.of(topics));
    }

    /** Sets the pattern of the names of the topics, instead of {@link #topics}. Matching topics may come and go. */
    public KeyedConsumerBuilder<K, V> pattern(Pattern pattern) {
        this.pattern = Objects.requireNonNull(pattern, "pattern");
        return this;
    }

    /** Sets the name for threads, figures and messages. The default is {@code client.id}, or else {@code group.id}. */
    public KeyedConsumerBuilder<K, V> name(String name) {
        this.name = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets the deserializers, instead of the properties {@code key.deserializer} and {@code value.deserializer}. They
     * are called by the poll loop alone, and are closed with the consumer.
     */
    public KeyedConsumerBuilder<K, V> deserializers(Deserializer<? extends K> key, Deserializer<? extends V> value) {
        keyDeserializer = Objects.requireNonNull(key, "key");
        valueDeserializer = Objects.requireNonNull(value, "value");
        return this;
    }

    /** Sets which records are handled one at a time. The default is {@link Order#KEY}. */
    public KeyedConsumerBuilder<K, V> order(Order order) {
        this.order = Objects.requireNonNull(order, "order");
        return this;
    }

    /**
     * Sets the function that returns the key by which records are ordered, instead of the key of the record. If the
     * function returns null, the record is handled in parallel to all others. A {@code byte[]} compares by content;
     * another key compares by {@code equals} and {@code hashCode}. Called by the poll loop, so the function should be
     * quick. A record for which it throws is treated as one that cannot be read: {@link #onUnreadable}. Records that
     * may be in different partitions are ordered only while this process owns these partitions.
     */
    public KeyedConsumerBuilder<K, V> keyExtractor(
            Function<? super KeyedRecord<K, V>, ? extends @Nullable Object> extractor) {
        keyExtractor = Objects.requireNonNull(extractor, "extractor");
        return this;
    }

    /**
     * Handles only the newest record of each key: a record that waits is superseded by a newer record of its key, and
     * is done when the newer one is. Requires {@link Order#KEY}. A failed record that waits for its next attempt is
     * superseded, too. Records without a key are not superseded.
     */
    public KeyedConsumerBuilder<K, V> coalescing() {
        coalescing = true;
        return this;
    }

    /**
     * Sets the maximum number of calls of the handler, open stages included, that run at once. A record that waits for
     * its next attempt is not counted. The default is no limit but the threads of the spindle. If the spindle's maximum
     * of threads is raised past this limit while the consumer runs, the limit takes effect within about 1 s.
     *
     * @throws IllegalArgumentException if {@code calls} is less than 1
     */
    public KeyedConsumerBuilder<K, V> maxConcurrency(int calls) {
        maxConcurrency = (int) Retries.requireAtLeast("maxConcurrency", 1, calls);
        return this;
    }

    /**
     * Sets the maximum number of records in memory. The default is 10,000. The intake is paused while another poll
     * could exceed this number, and goes on when half of the records are done. {@code max.poll.records} is lowered to
     * half of this number, if it is larger.
     *
     * @throws IllegalArgumentException if {@code records} is less than 2
     */
    public KeyedConsumerBuilder<K, V> maxRecords(int records) {
        maxRecords = (int) Retries.requireAtLeast("maxRecords", 2, records);
        return this;
    }

    /**
     * Sets the maximum size of the records in memory, in bytes of their serialized keys and values. The default is
     * 64 MiB. The intake is paused when three quarters of this size are reached, and goes on at half. What one poll
     * returns is taken in as a whole, and {@code fetch.max.bytes} and {@code max.partition.fetch.bytes} are lowered to
     * a quarter of this size, if they are larger. So the size is exceeded only with several brokers, or by records
     * larger than a quarter of it. The client's own buffers hold about one more fetch for each broker.
     *
     * @throws IllegalArgumentException if {@code bytes} is less than 1,024
     */
    public KeyedConsumerBuilder<K, V> maxBytes(long bytes) {
        maxBytes = Retries.requireAtLeast("maxBytes", 1_024, bytes);
        return this;
    }

    /**
     * Sets the maximum number of attempts for a record. The default is 10. {@link Integer#MAX_VALUE} means no maximum.
     *
     * @throws IllegalArgumentException if {@code attempts} is less than 1
     */
    public KeyedConsumerBuilder<K, V> maxAttempts(int attempts) {
        retries.maxAttempts = (int) Retries.requireAtLeast("maxAttempts", 1, attempts);
        return this;
    }

    /**
     * Sets the time from a failed attempt to the next. The time doubles with each attempt, from {@code first} to
     * {@code longest}, and a random part of up to a half is taken away. During that time the record holds its key and
     * no thread. The default is from 100 ms to 10 s.
     *
     * @throws IllegalArgumentException if a time is not positive, or if {@code first} is longer than {@code longest}
     */
    public KeyedConsumerBuilder<K, V> backoff(Duration first, Duration longest) {
        retries.setBackoff(first, longest);
        return this;
    }

    /**
     * Sets which failures are final: if {@code terminal} returns true, no further attempt is made. By default no
     * failure is final. Called where the attempt has failed. If {@code terminal} throws, the failure is not final.
     */
    public KeyedConsumerBuilder<K, V> terminal(Predicate<? super Throwable> terminal) {
        retries.terminal = Objects.requireNonNull(terminal, "terminal");
        return this;
    }

    /** Sets the treatment of a record whose last attempt has failed. The default is {@link FailurePolicy#stop}. */
    public KeyedConsumerBuilder<K, V> afterFailure(FailurePolicy policy) {
        retries.afterFailure = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /**
     * Sets the treatment of a record whose key or value cannot be deserialized, or whose key cannot be used. The
     * default is {@link FailurePolicy#stop}.
     *
     * @throws IllegalArgumentException if {@code policy} is {@link FailurePolicy#parkKey}, since there may be no key
     */
    public KeyedConsumerBuilder<K, V> onUnreadable(FailurePolicy policy) {
        if (policy.kind == FailurePolicy.Kind.PARK) {
            throw new IllegalArgumentException("onUnreadable must be deadLetter, skip or stop, is " + policy);
        }
        onUnreadable = policy;
        return this;
    }

    /**
     * Sets the properties of the producer of dead letters, in addition to the connection properties of the consumer.
     * By default {@code acks} is {@code all}, the producer is idempotent, one request is in flight, and a send does not
     * give up: {@code delivery.timeout.ms} is as long as possible.
     */
    public KeyedConsumerBuilder<K, V> producerProperties(Map<?, ?> properties) {
        producerProperties = ConsumerConfigs.copyOf(properties);
        return this;
    }

    /**
     * Sets the time from one commit to the next. The default is 500 ms. A crash repeats at most what was done within
     * about this time and could not be committed.
     *
     * @throws IllegalArgumentException if {@code interval} is not positive
     */
    public KeyedConsumerBuilder<K, V> commitInterval(Duration interval) {
        commitInterval = Retries.requirePositive("commitInterval", interval);
        return this;
    }

    /**
     * Sets how long a revocation waits for the records of its partitions that were taken in. Records that wait for
     * their next attempt are not waited for. The default is a quarter of {@code max.poll.interval.ms}.
     *
     * @throws IllegalArgumentException if {@code time} is negative; {@code build} refuses a time of more than half of
     *     {@code max.poll.interval.ms}
     */
    public KeyedConsumerBuilder<K, V> drainTime(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("drainTime must not be negative, is " + time);
        }
        drainTime = time;
        return this;
    }

    /**
     * Sets the time after which the group takes the partitions from a member that is silent. The default is
     * {@code session.timeout.ms} or, with {@code group.protocol=consumer}, whose time is a setting of the group, 45 s.
     * If no commit has succeeded within three quarters of this time, no further call begins until one succeeds.
     *
     * @throws IllegalArgumentException if {@code timeout} is not positive
     */
    public KeyedConsumerBuilder<K, V> sessionTimeout(Duration timeout) {
        sessionTimeout = Retries.requirePositive("sessionTimeout", timeout);
        return this;
    }

    /**
     * Sets the maximum size of commit metadata. The default is 4,096, the broker's {@code offset.metadata.max.bytes}. 0
     * means that only watermarks are committed.
     *
     * @throws IllegalArgumentException if {@code bytes} is negative
     */
    public KeyedConsumerBuilder<K, V> maxMetadata(int bytes) {
        maxMetadata = (int) Retries.requireAtLeast("maxMetadata", 0, bytes);
        return this;
    }

    /**
     * Sets the age of an unfinished record from which on {@link KeyedConsumer#stalled} is true. The default is 1 min.
     *
     * @throws IllegalArgumentException if {@code age} is not positive
     */
    public KeyedConsumerBuilder<K, V> stalledAfter(Duration age) {
        stalledAfter = Retries.requirePositive("stalledAfter", age);
        return this;
    }

    /**
     * Sets the time limit of {@link KeyedConsumer#close()}. The default is 30 s.
     *
     * @throws IllegalArgumentException if {@code timeout} is negative
     */
    public KeyedConsumerBuilder<K, V> closeTimeout(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("closeTimeout must not be negative, is " + timeout);
        }
        closeTimeout = timeout;
        return this;
    }

    /**
     * Checks the options, creates the client, starts the poll loop, and returns the consumer. Does not wait for the
     * broker. The consumer joins its group in the background.
     *
     * @throws IllegalArgumentException if an option or a property does not fit
     * @throws org.apache.kafka.common.KafkaException if the client refuses a property
     * @throws IllegalStateException if this builder has started a consumer
     */
    public KeyedConsumer<K, V> start() {
        return KeyedConsumer.start(this, KafkaConsumer::new);
    }

    /** Notes that a consumer uses this builder. */
    void use() {
        if (started) {
            throw new IllegalStateException("this builder has started a consumer; use a new one for another");
        }
        started = true;
    }
}
