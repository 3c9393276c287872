// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The command line of the programs that search for broken promises. */
@NullMarked
package dev.spindle.verify;

import org.jspecify.annotations.NullMarked;
