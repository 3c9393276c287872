// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Runs replicated logs whose replicas are on strands. */
@NullMarked
package dev.spindle.examples.log;

import org.jspecify.annotations.NullMarked;
