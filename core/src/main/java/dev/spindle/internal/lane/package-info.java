// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Lanes and their table. A lane is the queue of one key or one strand; its tasks run one at a time and in order. */
@NullMarked
package dev.spindle.internal.lane;

import org.jspecify.annotations.NullMarked;
