// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Machinery of {@code dev.spindle.flow} that uses none of its types: no part of the module's face. */
@NullMarked
package dev.spindle.flow.internal;

import org.jspecify.annotations.NullMarked;
