// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

/** The records that a {@link KeyedConsumer} handles one at a time. */
public enum Order {
    /**
     * Records with equal keys are handled one at a time, in the order of their partition. Keys of all topics and
     * partitions of the consumer are compared. Records without a key are handled in parallel.
     */
    KEY,
    /** Records of one partition are handled one at a time, in order. */
    PARTITION,
    /** All records are handled in parallel. */
    UNORDERED
}
