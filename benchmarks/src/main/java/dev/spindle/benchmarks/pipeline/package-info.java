// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: the cost of sending events through stages: at full speed, one each millisecond, or none at all.
 *
 * <p>The publisher numbers the events. Every stage counts the events, adds up their numbers and checks that they are in
 * sequence. A stage of a chain adds one to the event and checks the additions of the stages before it. The join of a
 * diamond checks the writes of both branches.
 */
@NullMarked
package dev.spindle.benchmarks.pipeline;

import org.jspecify.annotations.NullMarked;
