// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Runs dining philosophers whose mailboxes are too small for their messages. */
@NullMarked
package dev.spindle.examples.philosophers;

import org.jspecify.annotations.NullMarked;
