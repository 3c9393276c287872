// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The wake-ups of a pool: the states of its workers ({@link WorkerState}), the counts that follow from them, the idle
 * workers, and which of these a signal wakes ({@link WorkerStates}). How many may be awake is up to the pool, and so is
 * everything about threads.
 */
@NullMarked
package dev.spindle.internal.pool.wake;

import org.jspecify.annotations.NullMarked;
