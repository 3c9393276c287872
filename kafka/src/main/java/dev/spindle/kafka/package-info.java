// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Consumes topics of Kafka with a lane for each key: records of one key are handled one at a time and in order, records
 * of different keys in parallel, with far more parallelism than there are partitions.
 *
 * <pre>{@code
 *  broker ──► poll loop ──► lane of key a ──► handler ─┐
 *   ▲          (1 thread) ─► lane of key b ──► handler ─┼─► ledger of the partition
 *   │                     ─► lane of key c ──► handler ─┘        │
 *   └──────────── commit: watermark, and what is done above it ◄─┘
 * }</pre>
 *
 * <p>Start at {@link dev.spindle.kafka.KeyedConsumer}; for one process without a broker, at
 * {@link dev.spindle.kafka.KeyedQueue#local}.
 */
@NullMarked
package dev.spindle.kafka;

import org.jspecify.annotations.NullMarked;
