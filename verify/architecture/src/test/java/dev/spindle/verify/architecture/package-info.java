// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Rules on dependencies, sizes and sources. Each has a negative control: a class in {@code fixture}, or a small tree of
 * files, that breaks it and has to be found.
 */
@NullMarked
package dev.spindle.verify.architecture;

import org.jspecify.annotations.NullMarked;
