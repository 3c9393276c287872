// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: what does it cost to keep order per key, beside the ways that people use today?
 *
 * <p>{@code KeyedComparison} compares whole processes, see {@code compare}: {@code KeyedPasses} is what a fork runs; a
 * physical limit does the same work on plain threads. {@code KeysCommand} measures one task with JMH, and the memory of
 * keys.
 */
@NullMarked
package dev.spindle.benchmarks.keyed;

import org.jspecify.annotations.NullMarked;
