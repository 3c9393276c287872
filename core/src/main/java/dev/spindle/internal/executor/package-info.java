// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The machinery of the executors: the kinds of tasks and their futures, the way of a task into its lane, bounds,
 * shutdown, failures, statistics and waits. Nothing here refers to the executors of {@code dev.spindle}: the parts that
 * all share are an {@link dev.spindle.internal.executor.ExecutorKernel}, and a strand is the {@link
 * dev.spindle.internal.executor.LaneOwner} of its lane.
 */
@NullMarked
package dev.spindle.internal.executor;

import org.jspecify.annotations.NullMarked;
