// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/** The loads: a {@code Stage} starts the processes, and reads the costs of the gateway's under a {@code H2load}. */
@NullMarked
package dev.spindle.benchmarks.gateway.drive;

import org.jspecify.annotations.NullMarked;
