// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.report.WaitView;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An edge of the graph of waits: a waiting party, the party that it waits for, and the duration so far.
 * {@link Spindle#waits} returns these.
 *
 * <p><b>Listed</b> are waits of tasks, message handlers and pipeline stages for the futures that submits return; lanes
 * that an async task holds; threads, actors and stages that wait for room; and threads and stages that wait for a value
 * of a channel. A channel belongs to no spindle: a spindle lists all waits at a channel from when one of its tasks has
 * first waited there or one of its strands has begun to consume it. A full channel waits for the strands that consume
 * it.
 *
 * <p><b>Not listed</b> are idle actors; strands that wait for a value of a channel which they consume; threads outside
 * the spindle that wait for a future; waits inside user code, such as for locks and futures of the JDK; and asks whose
 * request was accepted, which end at their limit.
 *
 * <p><b>Cycles.</b> Two kinds of cycles never last. A task that would close a cycle of waits for futures gets an
 * {@link IllegalStateException}. An actor in a cycle of full mailboxes may exceed the bound of a mailbox. Other cycles
 * are only shown here: those over async tasks and their sends, pipelines, channels, or the bounds of two spindles. A
 * select waits at all of its channels, and any of them can end the wait; a full channel likewise waits for all of its
 * consumers. A cycle over such a wait may be no deadlock. A wait with a time limit closes no cycle.
 *
 * <p>The interface is implemented by this library alone, so that a value can be added.
 */
public sealed interface WaitEdge permits WaitView {
    /** The kind of event that ends a wait. */
    enum Kind {
        /** The end of a task, for which another task waits by its future. */
        RESULT,
        /** The completion of the stage of an async task, which holds its lane until then. */
        STAGE,
        /** Room: at a bound of a lane, an executor or a spindle, in a mailbox, a ring or a channel. */
        ROOM,
        /** A value of a channel. */
        VALUE
    }

    /**
     * Returns the waiting party. For a stage whose caller does not wait, its owner is the method that returned the
     * stage, such as {@code "sendAsync"}, with the key or strand in whose turn it was called.
     */
    Activity from();

    /**
     * Returns the party waited for. Its owner may also be {@code "a plain task"},
     * {@code "the stage of its async task"}, or {@code "channel 5 (buffered, 16)"}.
     */
    Activity to();

    /** Returns the kind of event waited for. */
    Kind kind();

    /** Returns the duration of the wait so far. */
    Duration age();

    /** Returns the time limit of a wait for a result or a stage; null if there is none, and for other kinds. */
    @Nullable
    Duration timeout();

    /** Returns true if this edge is part of a cycle: waits lead from {@link #to} back to {@link #from}. */
    boolean isCyclic();
}
