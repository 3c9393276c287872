// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: the cost of order per key, compared with the ways that people use today.
 *
 * <p>{@code KeyedComparison} compares whole processes; {@code KeysCommand} measures one task with JMH, and the memory
 * of keys.
 */
@NullMarked
package dev.spindle.benchmarks.keyed;

import org.jspecify.annotations.NullMarked;
