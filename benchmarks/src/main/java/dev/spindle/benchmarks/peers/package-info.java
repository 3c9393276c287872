// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/** The contenders of all comparisons, and the peers' executors and actors. */
@NullMarked
package dev.spindle.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
