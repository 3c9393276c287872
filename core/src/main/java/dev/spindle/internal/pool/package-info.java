// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The workers of a pool: their threads, and how their states and wake-ups ({@code wake}), the size of the pool
 * ({@code size}) and the looks of the clock thread ({@code watch}) work together.
 */
@NullMarked
package dev.spindle.internal.pool;

import org.jspecify.annotations.NullMarked;
