// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Rules on dependencies, sizes and sources. Each has a negative control: a class in {@code fixture}, or a small text,
 * that breaks the rule and must be found.
 */
@NullMarked
package dev.spindle.verify.architecture;

import org.jspecify.annotations.NullMarked;
