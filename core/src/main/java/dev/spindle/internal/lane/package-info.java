// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Lanes, the queues of one key or strand, whose tasks run one at a time and in order; and the table of all lanes. */
@NullMarked
package dev.spindle.internal.lane;

import org.jspecify.annotations.NullMarked;
