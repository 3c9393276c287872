// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record that a handler gets. The interface names no type of Kafka's client, so the same handler runs in a
 * {@link KeyedQueue#local} without the client. Immutable, except {@link #attempt}, which is constant during a call.
 *
 * <p>Tests may implement the interface. A later version adds methods only with a default.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public interface KeyedRecord<K, V> {
    /**
     * A header of a record.
     *
     * @param name the name, which several headers of a record may share
     * @param value the value, which must not be changed, or null
     */
    @SuppressWarnings("ArrayRecordComponent") // the bytes of the client, without a copy
    record Header(String name, byte @Nullable [] value) {}

    /** Returns the key, or null if the record has none. */
    @Nullable
    K key();

    /** Returns the value; null for a tombstone. */
    @Nullable
    V value();

    /** Returns the topic. */
    String topic();

    /** Returns the partition of the topic. */
    int partition();

    /** Returns the offset in the partition. */
    long offset();

    /** Returns the timestamp in milliseconds since the epoch, or -1 if the record has none. */
    long timestamp();

    /** Returns the headers in the order of the record. */
    List<Header> headers();

    /** Returns the number of this attempt; 1 for the first. */
    int attempt();

    /**
     * Returns the number of older records of the key that this call acknowledges together with this record. Always 0
     * without {@link KeyedConsumerBuilder#coalescing}.
     */
    int superseded();
}
