// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

/** A handler of the events of a stage, which it gets one at a time and in sequence. */
@FunctionalInterface
public interface EventHandler<E> {
    /**
     * Handles one event. The stage may use the event until this method returns; its slot is reused later, so values to
     * be kept must be copied.
     *
     * @throws Exception if the event could not be handled; see {@link ErrorPolicy}
     */
    void handle(E event) throws Exception;
}
