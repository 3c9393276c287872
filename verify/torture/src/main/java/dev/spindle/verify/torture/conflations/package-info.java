// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Random conflating channels at their bounds, with callbacks that block and send, and all ways to end. */
@NullMarked
package dev.spindle.verify.torture.conflations;

import org.jspecify.annotations.NullMarked;
