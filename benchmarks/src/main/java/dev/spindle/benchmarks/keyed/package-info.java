// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Measures the cost of order by key, compared with executors in common use.
 *
 * <p>{@code KeyedComparison} compares contenders in forks; {@code KeysCommand} measures one keyed task with JMH, and
 * the memory of keys.
 */
@NullMarked
package dev.spindle.benchmarks.keyed;

import org.jspecify.annotations.NullMarked;
