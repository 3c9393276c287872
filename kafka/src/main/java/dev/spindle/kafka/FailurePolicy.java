// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The treatment of a record that cannot be handled: one whose last attempt has failed, or one whose bytes cannot be
 * read. Immutable.
 */
public final class FailurePolicy {
    /** The kind of a policy. */
    enum Kind {
        DEAD_LETTER,
        SKIP,
        PARK,
        STOP
    }

    private static final FailurePolicy SKIP = new FailurePolicy(Kind.SKIP, null);
    private static final FailurePolicy PARK = new FailurePolicy(Kind.PARK, null);
    private static final FailurePolicy STOP = new FailurePolicy(Kind.STOP, null);

    final Kind kind;
    final @Nullable Function<? super KeyedRecord<?, ?>, String> topic; // not null for a dead letter

    private FailurePolicy(Kind kind, @Nullable Function<? super KeyedRecord<?, ?>, String> topic) {
        this.kind = kind;
        this.topic = topic;
    }

    /**
     * Writes the bytes of the record to {@code topic}, with its key and headers, and with headers that name its origin
     * and the failure: {@code spindle.topic}, {@code spindle.partition}, {@code spindle.offset},
     * {@code spindle.timestamp} and {@code spindle.attempts} as decimal text, {@code spindle.exception} (the class) and
     * {@code spindle.message}. The dead letter has a timestamp of its own, from which its retention counts. The record
     * counts as done when the topic has acknowledged the dead letter. While the topic refuses the dead letter,
     * the send is repeated with the backoff of the consumer, the key waits, and other keys go on.
     *
     * @throws IllegalArgumentException if {@code topic} is blank
     */
    public static FailurePolicy deadLetter(String topic) {
        if (Objects.requireNonNull(topic, "topic").isBlank()) {
            throw new IllegalArgumentException("topic of dead letters must not be blank, is \"" + topic + "\"");
        }
        return new FailurePolicy(Kind.DEAD_LETTER, record -> topic);
    }

    /**
     * Does what {@link #deadLetter(String)} does, with the topic that {@code topic} returns for the record. If the
     * function throws or returns null, the dead letter counts as refused. The key and value of a record that could not
     * be read are null. Called on a worker of the spindle.
     */
    public static FailurePolicy deadLetter(Function<? super KeyedRecord<?, ?>, String> topic) {
        return new FailurePolicy(Kind.DEAD_LETTER, Objects.requireNonNull(topic, "topic"));
    }

    /** Counts the record as done, and logs a warning. */
    public static FailurePolicy skip() {
        return SKIP;
    }

    /**
     * Handles no further record of the key: neither the record nor later ones of the key are done, and the watermark
     * of their partitions stays below them. Other keys go on. The records are read again, and attempted again, when
     * their partition has been assigned anew, in this process or another. Parked records take no memory but their
     * offsets.
     */
    public static FailurePolicy parkKey() {
        return PARK;
    }

    /** Ends the consumer: {@link KeyedConsumer#terminated} fails, and the record is not done. */
    public static FailurePolicy stop() {
        return STOP;
    }

    /** Returns the name of the policy. */
    @Override
    public String toString() {
        return switch (kind) {
            case DEAD_LETTER -> "deadLetter";
            case SKIP -> "skip";
            case PARK -> "parkKey";
            case STOP -> "stop";
        };
    }
}
