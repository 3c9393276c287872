// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Readings of the process and of the machine: time on processors, switches, heap, load, and latencies. */
@NullMarked
package dev.spindle.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
