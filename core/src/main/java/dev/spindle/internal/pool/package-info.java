// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Workers: which are awake, which is woken, when a pool grows and shrinks; and the threads that watch and complete. */
@NullMarked
package dev.spindle.internal.pool;

import org.jspecify.annotations.NullMarked;
