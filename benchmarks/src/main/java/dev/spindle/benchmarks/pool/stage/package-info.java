// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What every workload stands on: a contender that is set up, tasks that take a known time, and counts of what came of
 * it.
 */
@NullMarked
package dev.spindle.benchmarks.pool.stage;

import org.jspecify.annotations.NullMarked;
