// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import java.util.concurrent.CompletionStage;

/**
 * A function of the user that begins to handle a record, and returns a stage that completes when the record has been
 * handled. Until then the call holds its key, but no thread. The calls for one key never overlap, and follow the order
 * of the records in their partition.
 *
 * <p>A stage that fails, a null stage, and a throwable of any class are a failed attempt, as for {@link KeyedHandler}.
 * A stage that never completes holds its key, and with it the watermark of its partition.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
@FunctionalInterface
public interface AsyncKeyedHandler<K, V> {
    /**
     * Begins to handle a record.
     *
     * @throws Exception if the attempt has failed
     */
    CompletionStage<?> handle(KeyedRecord<K, V> record) throws Exception;
}
