// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: does the executor keep its promises for hours, in every mix of work?
 *
 * <p>Nothing is measured here. {@code Handovers} gives an idle pool one task after the other and waits for each: a lost
 * wake-up is a task that never starts. {@code Round} gives a pool of a random shape everything at once, ends it in the
 * middle, and accounts for every task.
 *
 * <pre>
 *   SoakCommand -> Handovers -> Entrance -> spindle
 *        |
 *        +-> Round(Shape) -> Producer, Work -> Target(spindle)
 *                |               |
 *              Ledger  <------ Entry (notes its own runs)
 * </pre>
 */
@NullMarked
package dev.spindle.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
