// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Small programs in the style of real ones, each checked by its own means: {@code spindle example} runs them. */
@NullMarked
package dev.spindle.demo.examples;

import org.jspecify.annotations.NullMarked;
