// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import org.jspecify.annotations.Nullable;

/**
 * Handles the failures of tasks that have no future: tasks of {@code execute} or {@code coalesce} that ended with a
 * throwable, and tasks dropped to make room. Failures of tasks with a future go to the future alone.
 *
 * <p>The worker that ran the task calls the handler, before the next task of the same lane. For a dropped task, the
 * submitter that dropped it calls the handler. Handlers must be thread-safe. A throwable of the handler itself is
 * counted ({@link SpindleStats#handlerFailures()}) and otherwise ignored.
 */
@FunctionalInterface
public interface FailureHandler {
    /**
     * Handles one failure.
     *
     * @param key the key, without the name of its key space, or the strand's name, or null for a plain task
     * @param task the task as it was submitted, or the message that an actor could not handle
     * @param failure the throwable, errors included
     */
    void onFailure(@Nullable Object key, Object task, Throwable failure);
}
