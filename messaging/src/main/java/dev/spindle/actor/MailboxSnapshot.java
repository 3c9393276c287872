// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

/**
 * The state of a mailbox. Its figures are read one after the other, while the actor runs.
 *
 * @param actor the name of the actor
 * @param depth the approximate number of messages in its request lane
 * @param capacity the number of messages that may wait in its request lane
 * @param outbox the approximate number of messages of the actor that wait for room in other mailboxes
 * @param waiters the number of senders that wait for room in this mailbox
 */
public record MailboxSnapshot(String actor, int depth, int capacity, int outbox, int waiters) {}
