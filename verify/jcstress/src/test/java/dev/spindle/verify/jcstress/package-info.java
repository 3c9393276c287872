// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Starts jcstress from JUnit, so that each claim counts as a test. */
@NullMarked
package dev.spindle.verify.jcstress;

import org.jspecify.annotations.NullMarked;
