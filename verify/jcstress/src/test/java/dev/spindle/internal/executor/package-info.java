// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The claims about memory ordering of tasks and their futures, one class each, in their package to reach them. */
@NullMarked
package dev.spindle.internal.executor;

import org.jspecify.annotations.NullMarked;
