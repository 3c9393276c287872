// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Measures processor time, context switches, heap, latencies and the load of the machine. */
@NullMarked
package dev.spindle.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
