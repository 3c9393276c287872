// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Actors: objects, each with a bounded mailbox, that handle one message at a time on the workers of a spindle.
 *
 * <pre>
 *  outside threads   offer, send, sendAsync, ask            other actors   self.tell, self.ask
 *            |                                                   |
 *            v                                                   v
 *        request lane (bounded) -------------.          outbox of the sender, if the lane is full:
 *                                             v         until it is empty, the sender takes no request
 *        reply lane (places reserved) -------> receive(message, self)
 *            ^
 *            '-- replies to asks, pipes, timers
 * </pre>
 *
 * {@link dev.spindle.actor.Actors} starts and stops actors; an {@link dev.spindle.actor.ActorRef} refers to an actor
 * from anywhere; an {@link dev.spindle.actor.ActorContext} has the operations of an actor in its turn.
 */
@NullMarked
package dev.spindle.actor;

import org.jspecify.annotations.NullMarked;
