// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Calls of several services as one call, such as the calls that a server makes to answer one request. A backend is any
 * function that returns a {@link java.util.concurrent.CompletionStage}; the package contains no network code.
 *
 * <pre>
 *  request, deadline                                                 one Outcome: value, failed,
 *      |                                                             timed out, rejected, cancelled
 *      v                                                                     ^
 *  ScatterGather      all, quorum, first success, best effort                |
 *      |--&gt; Endpoint   --&gt; permit --&gt; breaker --&gt; call ... stage ---------&gt;|  the first that are needed;
 *      |--&gt; Endpoint   --&gt; permit --&gt; breaker --&gt; call ... stage ---------&gt;|  the others are cancelled
 *      `--&gt; a.andThen(b) -&gt; a, and b with the answer of a -----------------&gt;'
 *
 *  Endpoint           retries and hedges go round again, within the deadline and the budget
 * </pre>
 *
 * <p>A {@link dev.spindle.flow.Service} is an {@link dev.spindle.flow.Endpoint} with its guards, a
 * {@link dev.spindle.flow.ScatterGather}, or a sequence made by {@link dev.spindle.flow.Service#andThen}. Services may
 * be nested in any way. Each call has a {@link dev.spindle.flow.Deadline}, which also bounds the calls that are made
 * for it.
 *
 * <p><b>Threads.</b> The package has no threads, and its timers are those of a {@link dev.spindle.Spindle}. A call
 * starts in the calling thread. A retry, a hedge, or a call that waited for a permit starts on a worker, or on the
 * thread of the spindle that completes passed time limits. Callbacks of the caller's future run in the thread that ends
 * the call. This is the thread that completes the backend's stage, the thread that cancels the future, or, if a time
 * limit ends the call, a thread of the spindle. No user code runs under a lock.
 *
 * <p><b>Memory consistency effects.</b> Actions in a thread before it makes a call happen-before the functions that are
 * called for the call. Actions before the completion of a backend's stage happen-before the completion of the caller's
 * future if the outcome of the stage is in the result of the future.
 *
 * <p>A null argument causes a {@code NullPointerException}, unless the method says otherwise. Requests and answers may
 * be null.
 */
@NullMarked
package dev.spindle.flow;

import org.jspecify.annotations.NullMarked;
