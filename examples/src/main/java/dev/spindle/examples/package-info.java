// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Small programs in the style of real ones, one per package. Each checks itself and has its own {@code main};
 * {@code spindle example} runs them as well.
 */
@NullMarked
package dev.spindle.examples;

import org.jspecify.annotations.NullMarked;
