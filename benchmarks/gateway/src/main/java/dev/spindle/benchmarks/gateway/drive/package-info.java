// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What a fork does: it starts the processes, has load made by {@code wrk} or {@code h2load}, and reads what the
 * gateway's process cost meanwhile.
 */
@NullMarked
package dev.spindle.benchmarks.gateway.drive;

import org.jspecify.annotations.NullMarked;
