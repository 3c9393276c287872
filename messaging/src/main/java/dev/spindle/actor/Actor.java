// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import org.jspecify.annotations.Nullable;

/**
 * The behaviour of an actor: handles its messages, one at a time. An instance belongs to one actor and may keep its
 * state in plain fields; a restart creates a new one.
 *
 * <p>All methods run on workers of the spindle, and must not wait for other actors: see {@link ActorContext}. A
 * method that blocks delays its own actor alone. After a shutdown of the spindle, {@link #stopped} may run in the
 * thread that ends the actor.
 *
 * @param <M> the type of the messages
 */
@FunctionalInterface
public interface Actor<M> {
    /**
     * Handles one message. An exception is reported to the {@link dev.spindle.FailureHandler}, and then the
     * {@link Supervision} of the actor decides; the message is not handled again.
     */
    void receive(M message, ActorContext<M> self) throws Exception;

    /**
     * Called before the first message of this instance, to set timers or to watch others. An exception counts as a
     * failure.
     */
    default void started(ActorContext<M> self) throws Exception {}

    /**
     * Called once, when this instance gets no more messages: the actor stops, or is restarted. It may still tell.
     *
     * @param cause what the instance failed with, or null if it was stopped
     */
    default void stopped(@Nullable Throwable cause) throws Exception {}

    /**
     * Called in place of {@link #stopped(Throwable)}, which it calls unless it is overridden.
     *
     * @param cause what the instance failed with, or null if it was stopped
     * @param message the message that it could not handle, or null if it was stopped, or failed without one: in
     *     {@link #started}, or in making a message of a reply
     */
    default void stopped(@Nullable Throwable cause, @Nullable M message) throws Exception {
        stopped(cause);
    }
}
