// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import java.time.Duration;

/**
 * A wait for room in a mailbox.
 *
 * @param waiter the name of the actor that waits, or of the thread; {@code "sendAsync"} for a stage
 * @param target the name of the actor whose mailbox is full
 * @param waiting for how long
 */
public record ActorWait(String waiter, String target, Duration waiting) {}
