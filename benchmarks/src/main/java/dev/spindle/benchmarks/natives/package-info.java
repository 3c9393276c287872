// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: the cost of the same work in Go and in Rust.
 *
 * <p>The programs are in {@code benchmarks/native}. {@code ToolChain} builds them before the forks. A fork whose
 * contender is a program starts it and is idle while the program works. For each pass the fork writes a line, and the
 * program answers with the time and the costs of the pass.
 */
@NullMarked
package dev.spindle.benchmarks.natives;

import org.jspecify.annotations.NullMarked;
