// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Transfers money between accounts that are actors. */
@NullMarked
package dev.spindle.examples.bank;

import org.jspecify.annotations.NullMarked;
