// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The loads and the measurement of a gateway's costs. {@code Stage} starts the processes, and {@code H2load} runs the
 * load generator.
 */
@NullMarked
package dev.spindle.benchmarks.gateway.drive;

import org.jspecify.annotations.NullMarked;
