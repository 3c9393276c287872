// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The claims about memory ordering, one class each. In the package of what they test, to reach the parts. */
@NullMarked
package dev.spindle.internal;

import org.jspecify.annotations.NullMarked;
