// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The claims about memory ordering of {@code dev.spindle.pipeline}, one class each. */
@NullMarked
package dev.spindle.pipeline;

import org.jspecify.annotations.NullMarked;
