// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

/**
 * A function of the user that handles records. A call may block. The calls for one key never overlap, and follow the
 * order of the records in their partition.
 *
 * <p>A throwable of any class is a failed attempt, which {@link KeyedConsumerBuilder#maxAttempts} and
 * {@link KeyedConsumerBuilder#afterFailure} govern. A record may be handled more than once, for example after a crash,
 * so the handler should be idempotent.
 *
 * <p><b>Memory consistency effects.</b> A call for a key happens-before the next call for the key in the same process.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
@FunctionalInterface
public interface KeyedHandler<K, V> {
    /**
     * Handles a record.
     *
     * @throws Exception if the attempt has failed
     */
    void handle(KeyedRecord<K, V> record) throws Exception;
}
