// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/** Question: the time in which a fresh JVM makes an executor, runs one task and closes it. */
@NullMarked
package dev.spindle.benchmarks.start;

import org.jspecify.annotations.NullMarked;
