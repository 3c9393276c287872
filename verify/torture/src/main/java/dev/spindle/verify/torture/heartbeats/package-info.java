// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Question: do all timed events happen, however busy the workers are?
 *
 * <p>Beats are timers, limits and tasks from outside that must recur, while lanes always have tasks, and tasks and
 * callbacks block. Time is measured in ticks of a control thread, which do not count a pause of the machine or of the
 * process.
 */
@NullMarked
package dev.spindle.verify.torture.heartbeats;

import org.jspecify.annotations.NullMarked;
