// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import org.jspecify.annotations.Nullable;

/**
 * The behaviour of an actor, which handles its messages one at a time. An instance belongs to one actor and may keep
 * its state in plain fields; a restart creates a new instance.
 *
 * <p>All methods run on workers of the spindle and must not wait for other actors: see {@link ActorContext}. A method
 * that blocks holds its worker. After a shutdown of the spindle, {@link #stopped} may run in the thread that ends
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
     * Called once, after the last message of this instance, when the actor ends or is restarted. This method may
     * still tell.
     *
     * @param cause the failure of the instance; a {@link java.util.concurrent.CancellationException} after a
     *     {@code shutdownNow}; null if the actor was drained or halted
     * @param message the message whose handling failed; null if there was no failure, or no message was being handled
     */
    default void stopped(@Nullable Throwable cause, @Nullable M message) throws Exception {}
}
