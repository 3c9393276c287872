// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

/** Handles the events of a stage, one at a time and in sequence. */
@FunctionalInterface
public interface EventHandler<E> {
    /**
     * Handles one event. The event is the stage's until this returns, and its slot is used again later: copy what is to
     * be kept.
     *
     * @throws Exception what the stage's {@link OnError} decides about
     */
    void handle(E event) throws Exception;
}
