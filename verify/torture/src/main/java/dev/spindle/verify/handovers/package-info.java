// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Searches for lost wake-ups.
 *
 * <p>{@code Handovers} submits one task at a time to an idle pool and waits for its start. After a lost wake-up the
 * task never starts, because no other submission wakes a worker.
 *
 * <pre>
 *   HandoversCommand -> Handovers -> Entrance -> spindle
 * </pre>
 */
@NullMarked
package dev.spindle.verify.handovers;

import org.jspecify.annotations.NullMarked;
