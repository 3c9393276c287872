// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The size of a pool: how many workers may be awake, as a function of samples. {@link AwakeLimit} is the type that the
 * pool uses. Nothing here takes a lock, reads a clock, or knows a worker.
 */
@NullMarked
package dev.spindle.internal.pool.size;

import org.jspecify.annotations.NullMarked;
