// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/** Spindle with other libraries: the examples of docs/neighbours.md, each with a check of its order. */
@NullMarked
package dev.spindle.neighbours;

import org.jspecify.annotations.NullMarked;
