// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

/** A handler of events as {@link EventHandler}, for work that is done once per batch, such as a flush at its end. */
@FunctionalInterface
public interface BatchHandler<E> {
    /**
     * Handles one event.
     *
     * @param batch the position of the event; valid only during the call
     * @throws Exception if the event could not be handled; see {@link OnError}
     */
    void handle(E event, Batch batch) throws Exception;
}
