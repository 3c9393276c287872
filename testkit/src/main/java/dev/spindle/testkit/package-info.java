// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Tests of code that runs on Spindle, in simulated time and without concurrency.
 *
 * <p>A {@link dev.spindle.testkit.Simulation} is a complete {@link dev.spindle.Spindle}, with keys, strands, bounds and
 * timers. Its tasks run while the test waits, one at a time, in an order that a seed determines. Its clock advances
 * only when the test waits. The same seed gives the same run.
 */
@NullMarked
package dev.spindle.testkit;

import org.jspecify.annotations.NullMarked;
