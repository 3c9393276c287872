// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Calls of several services as one, such as those that a server makes to answer one request. Works on any
 * {@link java.util.concurrent.CompletionStage}, and knows no network.
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
 * <p>Everything that is called is a {@link dev.spindle.flow.Service}: an {@link dev.spindle.flow.Endpoint} with its
 * guards, a {@link dev.spindle.flow.ScatterGather}, or a pipeline made by {@link dev.spindle.flow.Service#andThen};
 * they nest in any way. A {@link dev.spindle.flow.Deadline} is passed with each call and bounds all that happens for
 * it.
 *
 * <p><b>Threads.</b> The package has none, and its timers are those of a {@link dev.spindle.Spindle}. A call starts in
 * the thread of its caller. A retry, a hedge, or a call that waited for a permit starts on the
 * spindle's thread that completes what is due, or on a worker. The end of a call,
 * and with it the callbacks on the caller's future, runs in the thread that completes the backend's stage, in the
 * thread that cancels, or, if a time limit ends the call, where that acts. No code of users runs under a lock.
 *
 * <p><b>Memory consistency effects.</b> Actions in a thread before it makes a call happen-before the functions that are
 * called for it. Actions before the completion of a backend's stage happen-before the completion of the caller's
 * future, if that stage's outcome is in it.
 *
 * <p>Unless said otherwise, null as an argument is a {@code NullPointerException}; requests and answers may be null.
 */
@NullMarked
package dev.spindle.flow;

import org.jspecify.annotations.NullMarked;
