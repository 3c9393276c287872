// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Bounds on waiting tasks, and the limit of concurrently running tasks of a logical executor. */
@NullMarked
package dev.spindle.internal.limit;

import org.jspecify.annotations.NullMarked;
