// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/** The loads. A {@code Stage} starts the processes, and measures the costs of the gateway under an {@code H2load}. */
@NullMarked
package dev.spindle.benchmarks.gateway.drive;

import org.jspecify.annotations.NullMarked;
