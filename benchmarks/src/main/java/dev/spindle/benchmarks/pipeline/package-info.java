// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: what does it cost to send events through stages, when they come at full speed, one each millisecond, or not
 * at all?
 *
 * <p>How it is measured, beside what {@code compare} says:
 * <ul>
 *   <li>{@code unicast-1024}, {@code unicast-8192}: one publisher, one stage, a ring of that size. {@code chain-3},
 *       {@code chain-8}, {@code diamond}, {@code multicast} (three stages): rings of 8,192. The publisher numbers the
 *       events, and every stage counts them, sums up the numbers and checks that they come in sequence. A stage of a
 *       chain adds one to the event and finds what those before it added; the join of a diamond finds what both
 *       branches wrote. Time from the first publish until the last event has left the last stage. A pass has as many
 *       events as take long enough to be timed, at most ten million.
 *   <li>{@code idle-8}: eight stages that have worked and then have nothing to do for ten seconds; processor time of
 *       their threads.
 *   <li>{@code paced-1}, {@code paced-3}, {@code paced-8}: a chain of so many stages gets an event each millisecond for
 *       three seconds; from just before the publish until the last stage has it.
 * </ul>
 * <p>Spindle has a pool with as many workers as there are processors, at least two, and never more, however many stages
 * there are. The Disruptor and the chains of queues have a thread for each stage.
 */
@NullMarked
package dev.spindle.benchmarks.pipeline;

import org.jspecify.annotations.NullMarked;
