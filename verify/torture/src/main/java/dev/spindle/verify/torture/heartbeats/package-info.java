// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Question: does everything that has to happen by the clock happen, however busy the workers are?
 *
 * <p>Beats are timers, limits and tasks from outside that have to come again and again. Beside them run lanes that
 * never run dry, tasks that block and callbacks that block. Time is judged by the ticks of a control thread, which does
 * not count a pause of the machine or of the process.
 */
@NullMarked
package dev.spindle.verify.torture.heartbeats;

import org.jspecify.annotations.NullMarked;
