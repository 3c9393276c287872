// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A real Kafka broker for tests, and checks of what consumers did.
 *
 * <pre>{@code
 *  test JVM        KafkaExtension ──► KafkaBroker: start, stop, kill ──► broker JVM: one node, KRaft, loopback
 *
 *  consumer JVMs   handler ─────────────► CallJournal, one file each ──┐
 *                  CheckingInterceptor ─► the same file ───────────────┼─► JournalCheck ──► JournalReport
 *  producer        CallJournal: what was sent ─────────────────────────┘
 * }</pre>
 *
 * <p>The checks work with any consumer: nothing here depends on the consumer of Spindle. Start at
 * {@link dev.spindle.kafka.testkit.KafkaExtension} and {@link dev.spindle.kafka.testkit.JournalCheck}.
 */
@NullMarked
package dev.spindle.kafka.testkit;

import org.jspecify.annotations.NullMarked;
