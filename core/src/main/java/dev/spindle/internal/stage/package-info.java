// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Futures whose stages run in order, on the lane or executor from which the futures came. */
@NullMarked
package dev.spindle.internal.stage;

import org.jspecify.annotations.NullMarked;
