// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * For tests of code that runs on Spindle.
 *
 * <p>A {@link dev.spindle.testkit.Simulation} is a whole {@link dev.spindle.Spindle}, with its keys, strands, bounds
 * and timers, whose tasks run when the test wants them to run, one at a time, in an order that a seed chooses, and in a
 * time that passes when the test says so. The same seed gives the same run.
 */
@NullMarked
package dev.spindle.testkit;

import org.jspecify.annotations.NullMarked;
