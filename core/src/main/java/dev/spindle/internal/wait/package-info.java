// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The queue of what waits for a permit, a slot, room or a value. */
@NullMarked
package dev.spindle.internal.wait;

import org.jspecify.annotations.NullMarked;
