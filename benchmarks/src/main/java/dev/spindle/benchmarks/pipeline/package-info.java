// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Measures the cost of events that pass through stages, at full speed and at one event per millisecond, and the cost of
 * idle stages.
 *
 * <p>The publisher numbers the events. Every stage counts the events, adds up their numbers and checks their order.
 * Each stage of a chain adds one to the event and checks the additions of the earlier stages. The last stage of a
 * diamond checks the writes of both branches.
 */
@NullMarked
package dev.spindle.benchmarks.pipeline;

import org.jspecify.annotations.NullMarked;
