// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: is a wake-up ever lost?
 *
 * <p>It compares no figures. {@code Handovers} gives an idle pool one task after the other and waits for each. A lost
 * wake-up is a task that never starts, since no other submit wakes a worker for it.
 *
 * <pre>
 *   HandoversCommand -> Handovers -> Entrance -> spindle
 * </pre>
 */
@NullMarked
package dev.spindle.verify.handovers;

import org.jspecify.annotations.NullMarked;
