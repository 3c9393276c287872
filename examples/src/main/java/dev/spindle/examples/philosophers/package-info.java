// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Dining philosophers that pass forks as messages, with mailboxes that are too small. */
@NullMarked
package dev.spindle.examples.philosophers;

import org.jspecify.annotations.NullMarked;
