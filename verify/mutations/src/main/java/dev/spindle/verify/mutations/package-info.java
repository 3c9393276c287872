// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Plants faults in copies of the sources and checks that the tests find them. */
@NullMarked
package dev.spindle.verify.mutations;

import org.jspecify.annotations.NullMarked;
