// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

/** As {@link EventHandler}, for work that is done once per batch: a flush at its end, say. */
@FunctionalInterface
public interface BatchHandler<E> {
    /**
     * Handles one event.
     *
     * @param batch where the event stands; valid during the call alone
     * @throws Exception what the stage's {@link OnError} decides about
     */
    void handle(E event, Batch batch) throws Exception;
}
