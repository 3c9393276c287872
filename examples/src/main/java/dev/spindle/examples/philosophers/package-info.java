// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Philosophers who pass forks as messages, with mailboxes that are too small for it. */
@NullMarked
package dev.spindle.examples.philosophers;

import org.jspecify.annotations.NullMarked;
