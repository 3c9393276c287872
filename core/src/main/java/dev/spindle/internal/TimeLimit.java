// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/**
 * An action that the library runs after a given time, unless the limit is cancelled earlier. Since most limits are
 * cancelled, a limit has no future, and its cancellation creates no exception and leaves nothing in a queue. Any thread
 * may cancel a limit, in constant time.
 *
 * <p>The action runs at most once, within 20 ms of its due time, even if work is queued and every worker is blocked
 * (A3). The action runs on a worker or on the completer, and does not count as a task. The action begins with a clear
 * interrupt flag and with the context of the thread that set the limit. A throwable of the action is reported like a
 * throwable of a task without a future. Actions in a thread before it sets a limit happen-before the action of the
 * limit.
 *
 * <p>A {@code shutdown} waits for the action of a limit that {@link TimeLimits#set} has set, and a {@code shutdownNow}
 * runs that action at once on the calling thread. A limit of {@link PoolConfig.Host#limit} does not delay the
 * termination of the spindle.
 */
public interface TimeLimit {
    /**
     * Cancels the limit, which then no longer references its action.
     *
     * @return false if the action has begun or is about to begin, or if the limit was cancelled before
     */
    boolean cancel();
}
