// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Limits: how many tasks may wait for room, and how many of a logical executor may run at once. */
@NullMarked
package dev.spindle.internal.limit;

import org.jspecify.annotations.NullMarked;
