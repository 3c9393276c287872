// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/**
 * An action that the library runs after a time unless it is cancelled before. Most limits are cancelled: a limit has no
 * future, and cancelling it creates no exception and leaves nothing in a queue. Any thread may cancel a limit, in
 * constant time.
 *
 * <p>The action runs once, within 20 ms of its due time, even if work is queued and every worker is blocked (A3). It
 * runs on a worker or on the completer, and does not count as a task. It begins with a clear interrupt flag and with
 * the context of the thread that set the limit. A throwable of the action is reported as that of a task without a
 * future. Actions in a thread before it sets a limit happen-before the action of the limit.
 *
 * <p>The action of a limit set by {@link TimeLimits#set} is work: a shutdown waits for it, and {@code shutdownNow} runs
 * it at once on its thread. A limit of {@link PoolConfig.Host#limit} does not delay termination: the part of the
 * library that set it ends it before the executor terminates.
 */
public interface TimeLimit {
    /**
     * Cancels the limit, which then no longer references its action.
     *
     * @return false if the action has begun or is about to, or the limit was cancelled before
     */
    boolean cancel();
}
