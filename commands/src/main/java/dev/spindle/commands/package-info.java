// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** What the command lines have in common: the range of each number, and one answer to all that is wrong. */
@NullMarked
package dev.spindle.commands;

import org.jspecify.annotations.NullMarked;
