// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The workers of a pool: their states and wake-ups, the growth and shrinking of the pool, and the clock and completer
 * threads.
 */
@NullMarked
package dev.spindle.internal.pool;

import org.jspecify.annotations.NullMarked;
