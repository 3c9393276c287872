// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The launcher in the root of the repository, run against a clone with a feigned Java and a feigned Maven. */
@NullMarked
package dev.spindle.verify.launcher;

import org.jspecify.annotations.NullMarked;
