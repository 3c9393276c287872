// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Workers: who is awake, who is woken, when a pool grows and shrinks, and who watches the clock. */
@NullMarked
package dev.spindle.internal.pool;

import org.jspecify.annotations.NullMarked;
