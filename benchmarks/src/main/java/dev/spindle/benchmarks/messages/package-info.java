// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Measures the same programs in several models ({@code ModelsComparison}), events that pass through stages
 * ({@code PipelineComparison}), and the latest value of each key ({@code CoalesceComparison}).
 *
 * <p>{@code Tell}, {@code PingPong} and {@code TokenRing} run with any {@code Crowd}. {@code Passing} sends values
 * through channels, and {@code Pi} adds up a series. {@code Floor} publishes events to any {@code Line}, whose stages
 * count the events, add up their numbers and check their order.
 */
@NullMarked
package dev.spindle.benchmarks.messages;

import org.jspecify.annotations.NullMarked;
