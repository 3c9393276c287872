// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Puts faults into copies of the core and looks whether the tests find them. */
@NullMarked
package dev.spindle.verify.mutations;

import org.jspecify.annotations.NullMarked;
