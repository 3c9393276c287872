// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Tests of the launcher in the root of the repository, with a clone and stubs of Java and Maven. */
@NullMarked
package dev.spindle.verify.launcher;

import org.jspecify.annotations.NullMarked;
