// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** A replicated log whose replicas run on strands. */
@NullMarked
package dev.spindle.examples.log;

import org.jspecify.annotations.NullMarked;
