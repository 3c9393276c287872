// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Measures the cost of executors of small tasks, compared with executors in common use.
 *
 * <p>Each cell has a {@code Load} of {@code Floods}, {@code Clients}, {@code Inside}, {@code Waiting} or
 * {@code Neighbours}. A {@code Stage} runs the load on a contender and counts its tasks.
 */
@NullMarked
package dev.spindle.benchmarks.pool;

import org.jspecify.annotations.NullMarked;
