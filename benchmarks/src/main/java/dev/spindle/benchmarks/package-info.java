// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The command line of the comparisons; each comparison has a package of its own. */
@NullMarked
package dev.spindle.benchmarks;

import org.jspecify.annotations.NullMarked;
