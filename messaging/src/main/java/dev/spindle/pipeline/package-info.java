// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Ways of values to a handler that runs on the workers of a {@link dev.spindle.Spindle}, one value at a time. */
@NullMarked
package dev.spindle.pipeline;

import org.jspecify.annotations.NullMarked;
