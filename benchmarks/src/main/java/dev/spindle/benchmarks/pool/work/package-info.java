// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The workloads, each for a design that loses it: many tasks ({@code Flood}, {@code Window}), little to do
 * ({@code HandOff}, {@code OpenLoop}, {@code Bursts}, {@code Idle}), work from inside the pool ({@code Chains},
 * {@code FanOut}), waiting ({@code Waiters}), and neighbours ({@code Crowded}, {@code SharedTotal},
 * {@code QuietBeside}).
 */
@NullMarked
package dev.spindle.benchmarks.pool.work;

import org.jspecify.annotations.NullMarked;
