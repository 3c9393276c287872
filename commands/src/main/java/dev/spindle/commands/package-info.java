// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Common parts of the command lines: ranges of numeric options, and uniform reports of errors. */
@NullMarked
package dev.spindle.commands;

import org.jspecify.annotations.NullMarked;
