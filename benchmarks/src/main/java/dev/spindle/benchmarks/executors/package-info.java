// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The contenders of all comparisons, and the comparisons of executors: order by key ({@code KeyedComparison}), small
 * tasks ({@code PoolComparison}), a pool that finds its size ({@code ElasticComparison}), and what the observation of a
 * spindle costs ({@code ObservedComparison}).
 *
 * <p>Each cell of a pool has a {@code Load} of {@code Floods}, {@code Clients}, {@code Inside}, {@code Waiting} or
 * {@code Neighbours}. A {@code Stage} runs the load on a contender and counts its tasks.
 */
@NullMarked
package dev.spindle.benchmarks.executors;

import org.jspecify.annotations.NullMarked;
