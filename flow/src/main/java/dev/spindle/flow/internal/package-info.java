// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Internal classes of {@code dev.spindle.flow} that do not use its types. The package is not exported. */
@NullMarked
package dev.spindle.flow.internal;

import org.jspecify.annotations.NullMarked;
