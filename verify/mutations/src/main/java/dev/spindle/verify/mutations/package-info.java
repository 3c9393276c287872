// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Plants faults in copies of source files and checks that the tests detect them. */
@NullMarked
package dev.spindle.verify.mutations;

import org.jspecify.annotations.NullMarked;
