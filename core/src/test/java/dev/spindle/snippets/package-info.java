// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The code that the documents show, compiled and run. It sees the public API alone. */
@NullMarked
package dev.spindle.snippets;

import org.jspecify.annotations.NullMarked;
