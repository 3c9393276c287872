// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Small programs in the style of real ones, one per package. Each program checks its result and has a {@code main}
 * method; the command {@code spindle example} also runs them.
 */
@NullMarked
package dev.spindle.examples;

import org.jspecify.annotations.NullMarked;
