// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Loads of a gateway, and the measurement of its costs under a load. {@code Stage} starts the processes, and
 * {@code H2load} runs the load generator.
 */
@NullMarked
package dev.spindle.benchmarks.gateway.drive;

import org.jspecify.annotations.NullMarked;
