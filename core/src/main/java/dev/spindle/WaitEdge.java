// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.time.Duration;

/**
 * A wait: who waits for whom, for what, and for how long already. See {@link Spindle#waits}.
 *
 * <p><b>Listed</b> are waits of tasks, messages' handlers and stages of pipelines for the futures that submits return;
 * lanes that an async task holds; threads, actors and stages that wait for room; and threads and stages that wait for a
 * value of a channel. A channel belongs to no spindle: one lists all who wait there from when a task of its own first
 * waited there, or a strand of its own began to consume it. A channel that is full waits for the strands that consume
 * it; such a strand is not listed when it waits for a value, nor is an idle actor. Not listed are threads outside of
 * the spindle that wait for a future, waits in a program's own code, locks of the JDK and futures of its making among
 * them, and asks whose request was accepted, which end at their limit.
 *
 * <p><b>Cycles.</b> Two kinds never last: tasks that would wait for each other's futures get an {@link
 * IllegalStateException}, and actors that wait for room in each other's mailboxes an overdraft. Any other is shown
 * here, and nothing else is done about it: one that leads over an async task and what it has sent, over a pipeline, a
 * channel, or the bounds of two spindles. A select waits at each of its channels, and one of them ends its wait; so do
 * several consumers of a channel. A cycle over such a wait may be no deadlock. A wait with a time limit closes no
 * cycle.
 *
 * @param from who waits: {@code "key orders/4711"} for a key of the space {@code orders}, {@code "strand journal"},
 *     {@code "actor counter"}, {@code "stage apply of pipeline orders"}, {@code "thread main"}; for a stage that waits
 *     while its caller goes on, the method that returned it, such as {@code "sendAsync"}, with the key or strand in
 *     whose turn it was called
 * @param to what is waited for, written likewise; also {@code "executor reads"}, {@code "spindle main"}, {@code "a
 *     plain task"}, {@code "the stage of its async task"}, and {@code "channel 5 (buffered, 16)"}
 * @param kind for what
 * @param waiting for how long
 * @param cyclic whether this is part of a cycle: following waits from {@code to} on leads back to {@code from}
 */
public record WaitEdge(String from, String to, Kind kind, Duration waiting, boolean cyclic) {
    /** What is waited for. */
    public enum Kind {
        /** The end of a task whose future a task waits for. */
        RESULT,
        /** The stage of an async task, which holds its lane. */
        STAGE,
        /** Room: at a bound of a lane, an executor or a spindle, in a mailbox, a ring, a coalescer or a channel. */
        ROOM,
        /** A value that somebody brings. */
        VALUE
    }
}
