// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Many calls as one: what a service does that calls three databases to answer one request. Works on any
 * {@link java.util.concurrent.CompletionStage}, and knows no network.
 *
 * <pre>
 *  request, deadline                                                 one Outcome: value, failed,
 *      |                                                             timed out, rejected, cancelled
 *      v                                                                     ^
 *  ScatterGather      all, quorum, first success, best effort                |
 *      |--&gt; Endpoint   --&gt; permit --&gt; breaker --&gt; call ... stage ---------&gt;|  the first that are needed;
 *      |--&gt; Endpoint   --&gt; permit --&gt; breaker --&gt; call ... stage ---------&gt;|  the others are cancelled
 *      `--&gt; a.then(b)  --&gt; a, and b with what a answers --------------------&gt;'
 *
 *  Endpoint           retries and hedges go round again, within the deadline and the budget
 * </pre>
 *
 * <p>Everything that is called is a {@link dev.spindle.flow.Service}: an {@link dev.spindle.flow.Endpoint} with its
 * guards, a {@link dev.spindle.flow.ScatterGather}, or a pipeline made by {@link dev.spindle.flow.Service#then}. So
 * they can be put together in any way. A {@link dev.spindle.flow.Deadline} goes with each call and bounds all that
 * happens for it.
 *
 * <p><b>Threads.</b> There are none here, and no timer but those of a {@link dev.spindle.Spindle}. A call starts in the
 * thread of its caller; retries, hedges, and calls that waited for a permit start where a {@link
 * dev.spindle.TimeLimit} acts: on the thread of the spindle that completes what is due, or on a worker. What happens
 * when a call ends, and with it the callbacks on the future that the caller has, runs in the thread that completes the
 * backend's stage, or where a time limit acts if one ended it, or in the thread that cancels. No code of users runs
 * under a lock.
 *
 * <p><b>Memory consistency effects.</b> Actions in a thread before it makes a call happen-before the functions that are
 * called for it. What happens before the completion of a backend's stage happens-before the completion of the future
 * that the caller has, if that stage's outcome is in it.
 *
 * <p>Unless said otherwise, null as an argument is a {@code NullPointerException}; requests and answers may be null.
 */
@NullMarked
package dev.spindle.flow;

import org.jspecify.annotations.NullMarked;
