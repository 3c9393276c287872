// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: what does an executor of small tasks cost, beside those that people use today?
 *
 * <p>{@code PoolComparison} says which cells there are: each a workload of {@code pool.work}, on a stage of
 * {@code pool.stage}, which sets a contender up and counts what its tasks did. {@code DedicatedComparison} asks how
 * late a task starts in an idle pool that parks, spins, or is pinned, {@code ElasticComparison} how near a pool that
 * finds its own size comes to the best fixed one.
 */
@NullMarked
package dev.spindle.benchmarks.pool;

import org.jspecify.annotations.NullMarked;
