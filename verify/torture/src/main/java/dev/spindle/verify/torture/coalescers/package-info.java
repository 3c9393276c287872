// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Random coalescers at their bounds, with callbacks that block and call the coalescer, and all ways to end. */
@NullMarked
package dev.spindle.verify.torture.coalescers;

import org.jspecify.annotations.NullMarked;
