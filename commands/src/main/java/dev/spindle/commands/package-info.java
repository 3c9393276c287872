// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Base classes of the command lines, with ranges of numeric options and uniform error messages. */
@NullMarked
package dev.spindle.commands;

import org.jspecify.annotations.NullMarked;
