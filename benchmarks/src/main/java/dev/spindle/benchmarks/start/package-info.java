// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/** Measures the time in which a new JVM creates an executor, runs one task and closes the executor. */
@NullMarked
package dev.spindle.benchmarks.start;

import org.jspecify.annotations.NullMarked;
