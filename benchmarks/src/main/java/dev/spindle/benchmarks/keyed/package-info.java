// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: what does order per key cost, beside the executors that people use for it today?
 *
 * <p>{@code GatlingCommand} compares whole processes, see {@code compare}: {@code KeyedComparison} names the cells and the
 * goals, {@code Entrant} who takes part, {@code KeyedPasses} is what a fork runs; a physical limit does the same work on plain
 * threads without any hand-over. {@code KeysCommand} measures one keyed task and one idle key.
 */
@NullMarked
package dev.spindle.benchmarks.keyed;

import org.jspecify.annotations.NullMarked;
