// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Small programs in the style of real ones, a package each, each checked by its own means and with a {@code main} of
 * its own: {@code spindle example} runs them as well.
 */
@NullMarked
package dev.spindle.examples;

import org.jspecify.annotations.NullMarked;
