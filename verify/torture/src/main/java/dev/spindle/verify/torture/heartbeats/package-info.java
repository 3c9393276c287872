// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Checks that timed events occur even if the workers are busy.
 *
 * <p>A beat is a timer, a time limit or a task that must recur, while lanes always have tasks and while tasks and
 * callbacks block. Time is measured in ticks of a control thread, so the suspension of the whole process does not
 * count.
 */
@NullMarked
package dev.spindle.verify.torture.heartbeats;

import org.jspecify.annotations.NullMarked;
