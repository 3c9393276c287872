// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.report.WaitView;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An edge of the graph of waits: a waiting party, the party that it waits for, and the duration so far.
 * {@link Spindle#waits} returns such edges.
 *
 * <p><b>Listed</b> are:
 * <ul>
 *   <li>waits of tasks, message handlers and pipeline stages for the futures that submits return
 *   <li>waits of lanes for the stage of an open async task
 *   <li>waits of threads, actors and stages for room
 *   <li>waits of keys for the limit of their space
 *   <li>waits of threads and stages for a value of a channel
 * </ul>
 *
 * <p>A channel belongs to no spindle. A spindle lists all waits at a channel after one of its tasks has waited there,
 * or after one of its strands has begun to consume the channel. A full channel waits for the strands that consume the
 * channel.
 *
 * <p><b>Not listed</b> are:
 * <ul>
 *   <li>idle actors
 *   <li>strands that wait for a value of a channel that they consume
 *   <li>threads outside the spindle that wait for a future
 *   <li>waits inside user code, such as for locks and futures of the JDK
 *   <li>asks whose request was accepted, which end at their time limit
 * </ul>
 *
 * <p><b>Cycles.</b> Two kinds of cycles never last. A task that would close a cycle of waits for futures gets an
 * {@link IllegalStateException}. An actor in a cycle of full mailboxes may exceed the bound of a mailbox. Other cycles
 * are only listed: cycles over async tasks and their sends, pipelines, channels, or the bounds of two spindles. A
 * select waits at several channels, each of which can end the wait. A full channel waits for several consumers, each of
 * which can end the wait. So a cycle over such a wait is not always a deadlock. A wait with a time limit is not part of
 * a cycle.
 *
 * <p>Only this library implements the interface, so a later version may add methods.
 */
public sealed interface WaitEdge permits WaitView {
    /** The kind of event that ends a wait. */
    enum Kind {
        /** The end of a task whose future another task waits for. */
        RESULT,
        /** The completion of the stage of an async task. The task holds its lane until the completion. */
        STAGE,
        /**
         * Room at a bound of a lane, an executor or a spindle, at the limit of a key space, or in a mailbox, a ring or
         * a channel.
         */
        ROOM,
        /** A value of a channel. */
        VALUE
    }

    /**
     * Returns the waiting party. If the party is a stage, {@link Activity#owner} names the method that returned the
     * stage, such as {@code "sendAsync"}, and the key or strand whose task called the method.
     */
    Activity from();

    /**
     * Returns the party waited for. {@link Activity#owner} may also be {@code "a plain task"},
     * {@code "the stage of its async task"}, or {@code "channel 5 (buffered, 16)"}.
     */
    Activity to();

    /** Returns the kind of event waited for. */
    Kind kind();

    /** Returns the duration of the wait so far. */
    Duration age();

    /**
     * Returns the time limit of a wait for a result or a stage; null for other kinds of waits, or if there is no limit.
     */
    @Nullable
    Duration timeout();

    /** Returns true if this edge is part of a cycle: waits lead from {@link #to} back to {@link #from}. */
    boolean isCyclic();
}
