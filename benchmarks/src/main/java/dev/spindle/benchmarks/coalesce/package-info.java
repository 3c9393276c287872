// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: what does it cost to show the latest value of each key, when updates come faster than they can be shown?
 *
 * <p>Each pass feeds a fresh contender ({@link dev.spindle.benchmarks.coalesce.Traffic}) until the last update of each
 * key is on the {@link dev.spindle.benchmarks.coalesce.Screen}, which notices what is missing, shown twice, or shown
 * after a later one.
 */
@NullMarked
package dev.spindle.benchmarks.coalesce;

import org.jspecify.annotations.NullMarked;
