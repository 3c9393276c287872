// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Measures the same work in Go and in Rust.
 *
 * <p>The sources of the programs are in {@code benchmarks/native}. {@code ToolChain} builds the programs before the
 * forks start. If a contender is a native program, its fork starts the program and waits for it. For each pass, the
 * fork writes a line, and the program answers with the time and the costs of the pass.
 */
@NullMarked
package dev.spindle.benchmarks.natives;

import org.jspecify.annotations.NullMarked;
