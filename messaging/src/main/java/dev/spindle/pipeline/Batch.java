// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

/** The position of an event in a batch: the events that were ready when the stage began to handle it. */
public interface Batch {
    /** Returns the sequence number of the event; the first event published has number 0. */
    long sequence();

    /** Returns the number of events in the batch, including void events between others; at least 1. */
    int size();

    /** Returns whether this is the first event of the batch. */
    boolean isFirst();

    /** Returns whether this is the last event of the batch, after which a handler may flush. */
    boolean isLast();
}
