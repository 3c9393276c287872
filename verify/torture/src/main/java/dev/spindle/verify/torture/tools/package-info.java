// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Utilities of the random programs. */
@NullMarked
package dev.spindle.verify.torture.tools;

import org.jspecify.annotations.NullMarked;
