// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Measures the cost of running tasks one after another ({@code SerialComparison}), and of the same programs in several
 * models ({@code ModelsComparison}). The models are tasks, strands, actors, channels, pipelines and threads.
 *
 * <p>{@code Tell}, {@code PingPong} and {@code TokenRing} run with any {@code Crowd}. {@code Passing} sends values
 * through channels, and {@code Pi} adds up a series.
 */
@NullMarked
package dev.spindle.benchmarks.messages;

import org.jspecify.annotations.NullMarked;
