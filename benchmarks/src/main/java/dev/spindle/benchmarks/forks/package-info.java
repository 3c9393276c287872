// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What all comparisons of whole processes share: starting JVMs and reading what they print, the order of the forks,
 * costs beside time, and what a few rounds can tell.
 */
@NullMarked
package dev.spindle.benchmarks.forks;

import org.jspecify.annotations.NullMarked;
