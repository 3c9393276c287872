// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

/** A handler of the events of a stage. */
@FunctionalInterface
public interface EventHandler<E> {
    /**
     * Handles one event. The handler must not use the event after this method has returned, since the pipeline reuses
     * the event's slot.
     *
     * @throws Exception if the event could not be handled; see {@link ErrorPolicy}
     */
    void handle(E event) throws Exception;
}
