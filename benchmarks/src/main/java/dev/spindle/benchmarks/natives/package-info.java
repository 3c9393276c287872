// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: what does the same work cost in Go and in Rust?
 *
 * <p>The programs are in {@code benchmarks/native}, a folder for each language. {@code ToolChain} builds them before
 * the forks. A fork whose contender is one of them starts it and stays idle beside it; for each pass it writes a line,
 * and the program answers with what the pass took, cost and found. So warm-up, rounds, alternation, spread and verdicts
 * are those of all comparisons. The contenders on the JVM are those of the comparisons that ask the same of peers.
 */
@NullMarked
package dev.spindle.benchmarks.natives;

import org.jspecify.annotations.NullMarked;
