// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

/** A handler of events that also does work once per batch, such as a flush after the last event of the batch. */
@FunctionalInterface
public interface BatchHandler<E> {
    /**
     * Handles one event.
     *
     * @param sequence the number of the event; the first published event has number 0
     * @param endOfBatch true for the last event of a batch
     * @throws Exception if the event could not be handled; see {@link ErrorPolicy}
     */
    void handle(E event, long sequence, boolean endOfBatch) throws Exception;
}
