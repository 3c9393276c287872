// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Questions: the cost of running the tasks of many threads one after the other ({@code SerialComparison}), and the cost
 * of the same small program in each model: tasks, strands, actors, channels, pipelines, threads
 * ({@code ModelsComparison}).
 *
 * <p>{@code Tell}, {@code PingPong} and {@code TokenRing} run with any {@code Crowd}: actors, strands or threads.
 * {@code Passing} sends values through channels, and {@code Pi} adds up a series.
 */
@NullMarked
package dev.spindle.benchmarks.messages;

import org.jspecify.annotations.NullMarked;
