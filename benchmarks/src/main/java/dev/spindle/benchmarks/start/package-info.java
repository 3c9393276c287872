// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: how long does a fresh JVM take to make an executor, run one task and close it?
 *
 * <p>{@code StartCommand} starts a JVM for each sample; {@code FirstTask} is what it runs.
 */
@NullMarked
package dev.spindle.benchmarks.start;

import org.jspecify.annotations.NullMarked;
