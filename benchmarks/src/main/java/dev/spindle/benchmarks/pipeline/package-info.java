// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: the cost of sending events through stages, when they come at full speed, one each millisecond, or not at
 * all.
 *
 * <p>The publisher numbers the events. Every stage counts them, sums up the numbers and checks that they come in
 * sequence. A stage of a chain adds one to the event and finds what those before it added; the join of a diamond finds
 * what both branches wrote.
 */
@NullMarked
package dev.spindle.benchmarks.pipeline;

import org.jspecify.annotations.NullMarked;
