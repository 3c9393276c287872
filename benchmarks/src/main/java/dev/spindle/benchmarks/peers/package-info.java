// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/** The contenders of all questions, and the executors and actors of peers that several questions share. */
@NullMarked
package dev.spindle.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
