// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: the cost of an executor of small tasks, compared with those that people use today.
 *
 * <p>Each cell is a {@code Load} of {@code Floods}, {@code Clients}, {@code Inside}, {@code Waiting} or
 * {@code Neighbours} on a {@code Stage}, which sets a contender up and counts what its tasks did.
 */
@NullMarked
package dev.spindle.benchmarks.pool;

import org.jspecify.annotations.NullMarked;
