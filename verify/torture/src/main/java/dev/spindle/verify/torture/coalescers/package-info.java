// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Random coalescers at their bounds, with callbacks that block and call back in, that end in every way. */
@NullMarked
package dev.spindle.verify.torture.coalescers;

import org.jspecify.annotations.NullMarked;
