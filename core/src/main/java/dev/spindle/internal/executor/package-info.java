// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The machinery of the executors: the kinds of tasks and their futures, the submit of a task to its lane, bounds,
 * shutdown, failures, statistics and waits. No class of this package refers to the executors of {@code dev.spindle}.
 * Those executors share an {@link dev.spindle.internal.executor.ExecutorKernel}, and a
 * {@link dev.spindle.internal.executor.LaneOwner} represents a strand.
 */
@NullMarked
package dev.spindle.internal.executor;

import org.jspecify.annotations.NullMarked;
