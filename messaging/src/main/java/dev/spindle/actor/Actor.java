// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import org.jspecify.annotations.Nullable;

/**
 * The behaviour of an actor, which handles its messages one at a time. An instance belongs to one actor and may keep
 * its state in plain fields; a restart creates a new instance.
 *
 * <p>All methods run on workers of the spindle and must not wait for other actors: see {@link ActorContext}. A method
 * that blocks delays no other actor. After a shutdown of the spindle, {@link #stopped} may run in the thread that ends
 * the actor.
 *
 * @param <M> the type of the messages
 */
@FunctionalInterface
public interface Actor<M> {
    /**
     * Handles one message. An exception is reported to the
     * {@link dev.spindle.SpindleBuilder#onFailure failure handler}; the {@link Supervision} of the actor then decides
     * whether the actor continues. The message is not handled again.
     */
    void receive(M message, ActorContext<M> self) throws Exception;

    /**
     * Called before the first message of this instance, for example to set timers or to watch other actors. An
     * exception counts as a failure.
     */
    default void started(ActorContext<M> self) throws Exception {}

    /**
     * Called once, after the last message of this instance, when the actor stops or is restarted. It may still tell.
     *
     * @param cause the failure of the instance, or null if it was stopped
     */
    default void stopped(@Nullable Throwable cause) throws Exception {}

    /**
     * Called in place of {@link #stopped(Throwable)}, which it calls unless it is overridden.
     *
     * @param cause the failure of the instance, or null if it was stopped
     * @param message the message that it could not handle; null if it was stopped, or failed without a message: in
     *     {@link #started}, or while it made a message from a reply
     */
    default void stopped(@Nullable Throwable cause, @Nullable M message) throws Exception {
        stopped(cause);
    }
}
