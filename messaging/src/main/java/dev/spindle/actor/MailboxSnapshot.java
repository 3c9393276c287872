// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

/**
 * A picture of a mailbox; not of one moment, since the actor goes on.
 *
 * @param actor the name of the actor
 * @param depth how many messages wait in its request lane, about
 * @param capacity how many may wait
 * @param outbox how many of its own messages wait for room elsewhere, about
 * @param waiters how many others wait for room here
 */
public record MailboxSnapshot(String actor, int depth, int capacity, int outbox, int waiters) {}
