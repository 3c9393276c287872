// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Runs an exchange as a pipeline of four stages. */
@NullMarked
package dev.spindle.examples.orders;

import org.jspecify.annotations.NullMarked;
