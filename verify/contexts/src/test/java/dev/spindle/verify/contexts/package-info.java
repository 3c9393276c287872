// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The contexts of libraries, carried by {@code taskDecorator}. */
@NullMarked
package dev.spindle.verify.contexts;

import org.jspecify.annotations.NullMarked;
