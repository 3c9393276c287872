// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: what does it cost to have tasks of many threads run one after the other, and to hand over from one such
 * executor to the next?
 *
 * <p>How it is measured, beside what {@code compare} says:
 * <ul>
 *   <li>{@code p32}: 32 threads submit a million tasks in total to one serial executor, each its
 *       share, without a pool that feeds them. A task checks that it is the next of its producer: order, losses and
 *       doubles are seen in every pass. Time from the first submit until the last task has run.
 *   <li>{@code wakeups}: one task at a time, 0 to 300 spins after the one before, so that submits meet an executor that
 *       is just about to sleep. A wake-up that gets lost shows as a start that is late by the executor's own time
 *       limit, or as a stalled fork. The gaps are for executors that sleep at once; Spindle's workers search for a
 *       while before, and {@code handovers} looks for the wake-ups that get lost then.
 *   <li>{@code ping-pong}: two serial executors on one pool, or with a thread each, which hand one token to and fro.
 *   <li>{@code ring-1}, {@code ring-64}: tokens go round a thousand serial executors. Each hop carries a number of its
 *       link, so that loss, doubling and overtaking show.
 * </ul>
 * <p>Spindle and those peers that need a pool have one with two threads. {@code SerialExecutors} is where another way
 * to run tasks one after the other is added, and {@code SerialComparison} says who takes part in what.
 */
@NullMarked
package dev.spindle.benchmarks.serial;

import org.jspecify.annotations.NullMarked;
