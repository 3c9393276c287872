// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

/** The position of an event in the batch that a stage handles: the events that were ready when the batch began. */
public interface Batch {
    /** Returns the sequence number of the event: 0 for the first that was ever published. */
    long sequence();

    /** Returns how many events the batch has, void ones between others included; at least 1. */
    int size();

    /** Returns whether no event of the batch comes before this one. */
    boolean isFirst();

    /** Returns whether no event of the batch follows this one. What the stage then flushes is complete. */
    boolean isLast();
}
