// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import org.jspecify.annotations.Nullable;

/**
 * Told of every task handed to {@code execute} or {@code coalesce} that ended with a throwable, and of every one that
 * was dropped to make room. Failures of tasks with a future go to the future alone.
 *
 * <p>Called by the worker that ran the task, after it and before the next of its lane; must be thread-safe. What the
 * handler itself throws is counted ({@link SpindleStats#handlerFailures()}) and ignored.
 */
@FunctionalInterface
public interface FailureHandler {
    /**
     * Handles one failure.
     *
     * @param key the key, without the name of its key space, or the strand's name, or null for a plain task
     * @param task the task as the user handed it in, or the message that an actor could not handle
     * @param failure what it threw, errors included
     */
    void onFailure(@Nullable Object key, Object task, Throwable failure);
}
