// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/** Counts the steps that a task takes through the library. */
@NullMarked
package dev.spindle.verify.architecture.steps;

import org.jspecify.annotations.NullMarked;
