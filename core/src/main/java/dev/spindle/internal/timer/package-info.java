// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Timers in the order of their due times. */
@NullMarked
package dev.spindle.internal.timer;

import org.jspecify.annotations.NullMarked;
