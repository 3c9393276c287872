// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The code of the documents, compiled and run. It uses only the public API. */
@NullMarked
package dev.spindle.snippets;

import org.jspecify.annotations.NullMarked;
