// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Helpers of all kinds of random programs: pauses, timeouts, threads of all kinds, and the state of a pool that hangs.
 */
@NullMarked
package dev.spindle.verify.torture.tools;

import org.jspecify.annotations.NullMarked;
